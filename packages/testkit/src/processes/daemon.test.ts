import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findDaemon, startDaemon, stopDaemon } from './daemon.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'innkeeper-daemon-'));
});
afterEach(async () => {
  await stopDaemon(dir, 'sleeper', 0);
  await rm(dir, { recursive: true });
});

const start = (argv: string[]) =>
  startDaemon({ recordDir: dir, name: 'sleeper', argv, logFile: join(dir, 'sleeper.log') });

it('finds the process that it started, until it is stopped', async () => {
  const pid = await start(['sleep', '600']);
  expect(await findDaemon(dir, 'sleeper')).toBe(pid);
  expect(await stopDaemon(dir, 'sleeper')).toBe(true);
  expect(await findDaemon(dir, 'sleeper')).toBeUndefined();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('kills a process that does not end after SIGTERM', async () => {
  const pid = await start(['sh', '-c', "trap '' TERM; while :; do sleep 600; done"]);
  await stopDaemon(dir, 'sleeper', 100);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('succeeds if the process ended just before the stop', async () => {
  const pid = await start(['sleep', '600']);
  const kill = process.kill.bind(process);
  const told = vi.spyOn(process, 'kill').mockImplementationOnce((id) => {
    kill(id, 'SIGKILL');
    throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
  });
  expect(await stopDaemon(dir, 'sleeper')).toBe(true);
  expect(told).toHaveBeenCalledExactlyOnceWith(pid, 'SIGTERM');
  told.mockRestore();
  expect(await findDaemon(dir, 'sleeper')).toBeUndefined();
});

it('never mistakes another process with the same id for its own', async () => {
  const pid = await start(['sleep', '600']);
  const record = join(dir, 'sleeper.pid');
  const original = await readFile(record, 'utf8');
  await writeFile(record, JSON.stringify({ pid, startTime: '1' }));
  expect(await findDaemon(dir, 'sleeper')).toBeUndefined();
  expect(await stopDaemon(dir, 'sleeper')).toBe(false);
  expect(process.kill(pid, 0)).toBe(true);
  await writeFile(record, original);
});
