import { expect, test } from 'vitest';
import { FakeClock } from './node/fake-clock.ts';
import { createLog } from './node/log.ts';
import { createSupervisor } from './supervisor.ts';

function rig(options: { watchdogMs?: number | undefined; notify?: boolean } = {}) {
  const clock = new FakeClock();
  const told: string[] = [];
  const step = { ms: 0 };
  const supervisor = createSupervisor({
    notify: options.notify === false ? undefined : async (words) => void told.push(...words),
    watchdogMs: options.watchdogMs,
    oldestStepMs: () => step.ms,
    clock,
    log: createLog('fatal'),
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, told, step, supervisor, pass };
}

test('notifies systemd once of ready and once of stopping', async () => {
  const { supervisor, told, pass } = rig();
  await supervisor.ready();
  await pass(3_600_000);
  await supervisor.stopping();
  expect(told).toEqual(['READY=1', 'STOPPING=1']);
});

test('notifies the watchdog in time until the agent stops', async () => {
  const { supervisor, told, pass } = rig({ watchdogMs: 60_000 });
  await supervisor.ready();
  for (let quarter = 0; quarter < 8; quarter += 1) await pass(15_000);
  expect(told.filter((word) => word === 'WATCHDOG=1')).toHaveLength(9);
  await supervisor.stopping();
  const before = told.length;
  await pass(120_000);
  expect(told).toHaveLength(before);
});

test('does not notify the watchdog while a step is stuck, and resumes afterwards', async () => {
  const { supervisor, told, step, pass } = rig({ watchdogMs: 60_000 });
  await supervisor.ready();
  told.length = 0;
  step.ms = 31 * 60_000;
  await pass(15_000);
  expect(told).toEqual([]);
  step.ms = 10;
  await pass(15_000);
  expect(told).toEqual(['WATCHDOG=1']);
});

test('sends and waits for nothing without systemd', async () => {
  const { supervisor, clock, told } = rig({ watchdogMs: 60_000, notify: false });
  await supervisor.ready();
  await supervisor.stopping();
  expect(told).toEqual([]);
  expect(clock.waits).toEqual([]);
});
