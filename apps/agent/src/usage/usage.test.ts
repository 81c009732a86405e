import { type UsageReport, usageAnswerSchema } from '@innkeeper/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { specOf } from '../../test/specs.ts';
import type { Traffic } from '../capabilities/traffic/host.ts';
import { FakeClock } from '../node/fake-clock.ts';
import type { SliceUsage } from '../node/host.ts';
import { createLog } from '../node/log.ts';
import { createMetrics } from '../status/metrics.ts';
import { startUsage } from './usage.ts';

const MIB = 1_048_576;
const settled = () => new Promise((resolve) => setImmediate(resolve));

function startRig(count = 3, unmeasured: ReadonlySet<number> = new Set()) {
  const specs = Array.from({ length: count }, (_, at) =>
    specOf({ account_id: at + 1, uid: 20_001 + at, linux_user: `user${at}` }),
  );
  const clock = new FakeClock();
  const used = new Map<number, number>();
  const slices = new Map<number, SliceUsage>();
  const checked: number[] = [];
  const reported: UsageReport[] = [];
  const limits = new Map<number, number>();
  const traffic: Traffic = {
    month: '2026-11',
    statistics: { countedBytes: 0, refusedLines: 0, lostFiles: 0 },
    usedBytes: ({ uid }) => used.get(uid) ?? 0,
    isExceeded: ({ uid }, limitMb) => (used.get(uid) ?? 0) > (limits.get(uid) ?? limitMb) * MIB,
    read: async () => {},
    takeAnswered: () => new Map(),
    knows: () => false,
    forget: async () => {},
  };
  const metrics = createMetrics('test');
  const usage = startUsage({
    host: {
      traffic,
      cgroups: { usages: async () => new Map(slices) } as never,
      disk: {
        measure: async (accounts) =>
          new Map(
            accounts
              .filter(({ owner }) => !unmeasured.has(owner.uid))
              .map(({ owner, databases }) => [owner.uid, 5 * MIB + databases.length + 1]),
          ),
        measureDatabases: async () => new Map(),
      },
      databases: { usedBytes: async () => undefined, giveBackRoom: async () => {} } as never,
      databaseConnections: { shareOf: () => undefined, watch: async () => [], close: () => {} },
      fullDisks: { isFull: () => false, note: async () => false, keep: async () => {} },
    },
    ledger: {
      specs: () => specs,
      find: (accountId) => {
        const spec = specs.find(({ account_id }) => account_id === accountId);
        return spec && { version: 1, spec, accepted_report: null };
      },
    },
    check: (uid) => checked.push(uid),
    settled: Promise.resolve(),
    trafficReadMs: 5_000,
    reporter: { add: (parts) => reported.push(...parts), stop: () => {} },
    mail: () => [],
    serverLoad: async () => ({
      cpuBusyMs: 0,
      cpuTotalMs: 0,
      memoryUsedBytes: 0,
      memoryBytes: 0,
      diskUsedBytes: 0,
      diskBytes: 0,
      load: 0,
    }),
    unixMs: () => Date.parse('2026-11-24T12:00:00Z') + clock.now(),
    metrics,
    clock,
    log: createLog('fatal'),
  });
  onTestFinished(() => usage.stop());
  const pass = async () => {
    await settled();
    clock.advance(5_000);
    await settled();
  };
  return { usage, specs, used, slices, checked, reported, limits, metrics, clock, pass };
}

test('an answer contains every known account and no others', async () => {
  const { usage, specs, used, slices, clock } = startRig();
  specs[2] = { ...specs[2]!, desired_state: 'absent' };
  used.set(20_001, 3 * MIB + 1);
  await settled();
  slices.set(20_002, { cpuMicroseconds: 30e6, memoryBytes: 2 * MIB });
  for (let sample = 0; sample < 4; sample += 1) {
    clock.advance(15_000);
    await settled();
  }
  const answer = await usage.answer({ account_ids: [2, 1, 2, 3, 99] });
  expect(usageAnswerSchema.parse(answer)).toEqual({
    month: '2026-11',
    accounts: [
      { account_id: 2, disk_used_mb: 6, bandwidth_used_mb: 0, cpu_used_percent: 50, ram_used_mb: 2 },
      { account_id: 1, disk_used_mb: 6, bandwidth_used_mb: 4, cpu_used_percent: 0, ram_used_mb: 0 },
    ],
  });
});

test('leaves out an account that was never measured', async () => {
  const { usage, clock } = startRig(2, new Set([20_002]));
  await settled();
  const answering = usage.answer({ account_ids: [1, 2] });
  await settled();
  clock.advance(1_000);
  expect((await answering).accounts.map(({ account_id }) => account_id)).toEqual([1]);
});

test('answers for a thousand accounts at once', async () => {
  const { usage, specs } = startRig(1_000);
  await settled();
  const answer = await usage.answer({ account_ids: specs.map(({ account_id }) => account_id) });
  expect(usageAnswerSchema.parse(answer).accounts).toHaveLength(1_000);
});

test('checks an account once when it crosses the limit in either direction', async () => {
  const { checked, used, limits, pass } = startRig();
  await pass();
  expect(checked).toEqual([]);
  used.set(20_001, 10_000 * MIB + 1);
  used.set(20_003, 10_000 * MIB + 1);
  await pass();
  await pass();
  expect(checked).toEqual([20_001, 20_003]);
  limits.set(20_001, 20_000);
  await pass();
  expect(checked).toEqual([20_001, 20_003, 20_001]);
  used.clear();
  await pass();
  expect(checked).toEqual([20_001, 20_003, 20_001, 20_003]);
});

test('metrics are sums without account names', async () => {
  const { metrics, pass } = startRig();
  await pass();
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/innkeeper_agent_disk_sweep_seconds \d/);
  expect(text).toContain('innkeeper_agent_traffic_counted_bytes_total 0');
  expect(text).not.toContain('20001');
});

test('reports each interval after its end, from the first whole one on', async () => {
  const { slices, reported, clock } = startRig(2);
  for (let sample = 0; sample < 45; sample += 1) {
    slices.set(20_002, { cpuMicroseconds: sample * 1e6, memoryBytes: 2 * MIB });
    await settled();
    clock.advance(15_000);
    await settled();
  }
  expect(reported).toMatchObject([
    {
      interval_start: Date.parse('2026-11-24T12:05:00Z') / 1_000,
      part: 0,
      server: { accounts: 2, running_accounts: 1 },
      accounts: [
        { account_id: 1, cpu_ms: 0, memory_mb: 0, disk_mb: 6 },
        { account_id: 2, cpu_ms: 20_000, memory_mb: 2, disk_mb: 6 },
      ],
    },
  ]);
});
