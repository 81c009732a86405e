import { type AccountMail, usageReportSchema } from '@innkeeper/protocol';
import { expect, test } from 'vitest';
import { domainOf, specOf } from '../../test/specs.ts';
import type { Answered } from '../capabilities/traffic/host.ts';
import type { SliceUsage } from '../node/host.ts';
import { UsageIntervals } from './usage-intervals.ts';

const START = Date.parse('2026-11-24T12:00:00Z');
const MIB = 1_048_576;
const idle = {
  cpuBusyMs: 0,
  cpuTotalMs: 0,
  memoryUsedBytes: 100 * MIB,
  memoryBytes: 1_000 * MIB,
  diskUsedBytes: 5 * MIB,
  diskBytes: 50 * MIB,
  load: 0.5,
};

function startRig(count = 1) {
  const specs = Array.from({ length: count }, (_, at) =>
    specOf({ account_id: at + 1, uid: 20_001 + at, linux_user: `user${at}` }),
  );
  const disk = new Map<number, number>();
  const answered = new Map<number, Answered>();
  const mail: AccountMail[] = [];
  const intervals = new UsageIntervals({
    specs: () => specs,
    diskBytes: (uid) => disk.get(uid),
    mail: () => mail,
    takeAnswered: () => {
      const taken = new Map(answered);
      answered.clear();
      return taken;
    },
  });
  let nowMs = 15_000;
  /** A sample 15 s after the one before. */
  const sample = (slices: [uid: number, usage: SliceUsage][] = [], server: Partial<typeof idle> = {}) => {
    nowMs += 15_000;
    return intervals.add({
      unixMs: START + nowMs - 1_000,
      nowMs,
      slices: new Map(slices),
      server: { ...idle, cpuTotalMs: nowMs * 2, cpuBusyMs: nowMs / 2, ...server },
    });
  };
  /** Samples to the end of the interval. Returns its reports. */
  const finish = (...args: Parameters<typeof sample>) => {
    for (;;) {
      const reports = sample(...args);
      if (Math.floor((nowMs - 1_000) / 300_000) !== Math.floor((nowMs - 16_000) / 300_000)) return reports;
    }
  };
  return { specs, disk, answered, sample, finish };
}

const slice = (cpuMicroseconds: number, memoryBytes = 0): SliceUsage => ({ cpuMicroseconds, memoryBytes });

test('an interval has the sum of the CPU time, also of slices that ended and began again, and the peak of memory', () => {
  const { disk, sample, finish } = startRig();
  expect(finish([[20_001, slice(9e6)]])).toEqual([]);
  sample([[20_001, slice(10e6, 3 * MIB)]]);
  sample([[20_001, slice(12e6, 9 * MIB)]]);
  sample([]);
  sample([[20_001, slice(2e6, 1)]]);
  disk.set(20_001, 7 * MIB - 1);
  const [report, ...others] = finish([[20_001, slice(2.5e6)]], { load: 2.5 });
  expect(others).toEqual([]);
  expect(usageReportSchema.parse(report)).toEqual({
    interval_start: START / 1_000 + 300,
    part: 0,
    server: {
      cpu_busy_ms: 150_000,
      cpu_total_ms: 600_000,
      memory_mb: 100,
      memory_total_mb: 1_000,
      disk_mb: 5,
      disk_total_mb: 50,
      load_percent: 250,
      sent_bytes: 0,
      requests: 0,
      errors: 0,
      accounts: 1,
      running_accounts: 1,
    },
    accounts: [
      { account_id: 1, cpu_ms: 5_500, memory_mb: 9, disk_mb: 7, sent_bytes: 0, requests: 0, errors: 0 },
    ],
    sites: [],
    mail: [],
  });
});

test('requests count for their account, their site and the server; a name that leads nowhere for no site', () => {
  const { specs, answered, finish } = startRig();
  specs[0] = {
    ...specs[0]!,
    domains: [domainOf(71, 'a.example'), domainOf(72, 'b.example')],
  };
  finish();
  const requests = { sentBytes: 10, requests: 2, errors: 1 };
  const hosts = ['a.example', 'www.a.example', 'b.example', 'elsewhere.example'];
  answered.set(20_001, {
    sentBytes: 40,
    requests: 8,
    errors: 4,
    hosts: new Map(hosts.map((host) => [host, requests])),
  });
  answered.set(29_999, { ...requests, hosts: new Map() });
  const [accounts, sites] = finish();
  expect(accounts?.accounts).toMatchObject([{ sent_bytes: 40, requests: 8, errors: 4, disk_mb: null }]);
  expect(accounts?.server).toMatchObject({ sent_bytes: 50, requests: 10, errors: 5 });
  expect(sites).toMatchObject({
    part: 1,
    server: null,
    accounts: [],
    sites: [
      { domain_id: 71, sent_bytes: 20, requests: 4, errors: 2 },
      { domain_id: 72, sent_bytes: 10, requests: 2, errors: 1 },
    ],
  });
  expect(finish()).toMatchObject([{ accounts: [{ requests: 0 }] }]);
});

test('a server without accounts reports itself, and 2,500 accounts are three parts', () => {
  const empty = startRig(0);
  empty.finish();
  expect(empty.finish()).toMatchObject([{ part: 0, accounts: [], server: { accounts: 0 } }]);
  const full = startRig(2_500);
  full.finish();
  const reports = full.finish();
  expect(reports.map(({ part, accounts }) => [part, accounts.length])).toEqual([
    [0, 1_000],
    [1, 1_000],
    [2, 500],
  ]);
  expect(reports.map(({ server }) => server === null)).toEqual([false, true, true]);
});
