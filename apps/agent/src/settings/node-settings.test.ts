import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeSettings } from '@innkeeper/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeClock } from '../node/fake-clock.ts';
import { HostError } from '../node/host-error.ts';
import { createLog } from '../node/log.ts';
import { NodeSettingsKeeper } from './node-settings.ts';

const EVERY_MS = 300_000;
const settings = (generation: number): NodeSettings => ({ generation, mail_relay: null });

async function startRig() {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'node-settings.json');
  const clock = new FakeClock();
  const apply = vi.fn<(wanted: NodeSettings) => Promise<void>>(async () => {});
  const open = async () => {
    const keeper = new NodeSettingsKeeper({ file, apply, everyMs: EVERY_MS, clock, log: createLog('fatal') });
    await keeper.open();
    keeper.start();
    onTestFinished(() => keeper.stop());
    return keeper;
  };
  return { file, clock, apply, open };
}

test('settings are kept over a restart, for root only, and applied again', async () => {
  const { file, apply, open } = await startRig();
  const first = await open();
  expect(first.generation).toBe(0);
  expect(first.problem).toBe('');
  await first.receive(settings(3));
  await vi.waitFor(() => expect(apply).toHaveBeenCalledTimes(1));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const second = await open();
  expect(second.generation).toBe(3);
  await vi.waitFor(() => expect(second.problem).toBe(''));
  expect(apply).toHaveBeenLastCalledWith(settings(3));
});

test('they count as applied only after the effect, and a failure is reported with its sentence and retried', async () => {
  const { clock, apply, open } = await startRig();
  const keeper = await open();
  let finish = () => {};
  apply.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  await keeper.receive(settings(1));
  expect(keeper.problem).toBe('They are being applied.');
  await vi.waitFor(() => expect(apply).toHaveBeenCalled());
  finish();
  await vi.waitFor(() => expect(keeper.problem).toBe(''));
  apply.mockRejectedValueOnce(new HostError('Failed', 'Postfix is not installed on this server.'));
  await keeper.receive(settings(2));
  await vi.waitFor(() => expect(keeper.problem).toBe('Postfix is not installed on this server.'));
  await vi.waitFor(() => {
    clock.advance(EVERY_MS);
    expect(keeper.problem).toBe('');
  });
});

test('a change during a run causes one more run', async () => {
  const { apply, open } = await startRig();
  const keeper = await open();
  let finish = () => {};
  apply.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  await keeper.receive(settings(1));
  await vi.waitFor(() => expect(apply).toHaveBeenCalledTimes(1));
  await keeper.receive(settings(2));
  finish();
  await vi.waitFor(() => expect(apply).toHaveBeenLastCalledWith(settings(2)));
  await vi.waitFor(() => expect(keeper.problem).toBe(''));
});

test('settings that the schema refuses change nothing, and are reported', async () => {
  const { apply, open } = await startRig();
  const keeper = await open();
  await keeper.receive(settings(1));
  await vi.waitFor(() => expect(keeper.problem).toBe(''));
  await keeper.receive({ generation: 2, mail_relay: { host: 'a\nb' } });
  expect(keeper.generation).toBe(1);
  expect(keeper.problem).toContain('refused the settings');
  expect(apply).toHaveBeenCalledTimes(1);
});

test('an older generation, of a control plane that was restored, is applied too', async () => {
  const { apply, open } = await startRig();
  const keeper = await open();
  await keeper.receive(settings(9));
  await keeper.receive(settings(4));
  await vi.waitFor(() => expect(apply).toHaveBeenLastCalledWith(settings(4)));
});

test('a damaged file is asked for again', async () => {
  const { file, open } = await startRig();
  await writeFile(file, '{');
  expect((await open()).generation).toBe(0);
});
