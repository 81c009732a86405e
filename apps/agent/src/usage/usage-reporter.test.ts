import type { UsageReport } from '@innkeeper/protocol';
import { expect, test } from 'vitest';
import { ControlPlaneError } from '../control-plane/control-plane.ts';
import { FakeClock } from '../node/fake-clock.ts';
import { createLog } from '../node/log.ts';
import { UsageReporter } from './usage-reporter.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function startRig() {
  const clock = new FakeClock();
  const sent: string[] = [];
  const rig: { error: ControlPlaneError | undefined } = { error: undefined };
  const reporter = new UsageReporter({
    controlPlane: {
      reportUsage: async ({ interval_start, part }) => {
        if (rig.error !== undefined) throw rig.error;
        sent.push(`${interval_start}/${part}`);
      },
    },
    clock,
    random: () => 0.5,
    log: createLog('fatal'),
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settled();
  };
  return { reporter, sent, rig, pass, clock };
}

function interval(interval_start: number, parts: number): UsageReport[] {
  return Array.from({ length: parts }, (_, part) => ({
    interval_start,
    part,
    server: null,
    accounts: [],
    sites: [],
    mail: [],
  }));
}

test('sends the parts of an interval in order, within a minute', async () => {
  const { reporter, sent, pass } = startRig();
  reporter.add(interval(300, 2));
  await pass(29_000);
  expect(sent).toEqual([]);
  await pass(1_000);
  expect(sent).toEqual(['300/0', '300/1']);
  reporter.add(interval(600, 1));
  await pass(30_000);
  expect(sent.at(-1)).toBe('600/0');
});

test('sends what was not accepted again, and keeps the newest three intervals', async () => {
  const { reporter, sent, rig, pass } = startRig();
  rig.error = new ControlPlaneError('unavailable', 'away');
  for (const start of [300, 600, 900, 1_200]) {
    reporter.add(interval(start, 1));
    await pass(60_000);
  }
  rig.error = undefined;
  await pass(30_000);
  expect(sent).toEqual(['600/0', '900/0', '1200/0']);
});

test('leaves out a part that is refused, and sends nothing after another agent has taken over', async () => {
  const { reporter, sent, rig, pass, clock } = startRig();
  rig.error = new ControlPlaneError('refused', 'no');
  reporter.add(interval(300, 1));
  await pass(60_000);
  rig.error = undefined;
  reporter.add(interval(600, 1));
  await pass(60_000);
  expect(sent).toEqual(['600/0']);
  rig.error = new ControlPlaneError('superseded', 'gone');
  reporter.add(interval(900, 1));
  await pass(60_000);
  rig.error = undefined;
  reporter.add(interval(1_200, 1));
  await pass(600_000);
  expect(sent).toEqual(['600/0']);
  expect(clock.waits).toEqual([]);
});
