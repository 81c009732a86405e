import type { AccountMail, AccountSpec, Answer, Question } from '@innkeeper/protocol';
import { ownerOf } from '../capabilities/claim.ts';
import { DiskLimitWatch } from '../capabilities/disk/disk-limit-watch.ts';
import { DiskUsage } from '../capabilities/disk/disk-usage.ts';
import type { StoredThings } from '../capabilities/disk/host.ts';
import type { Host } from '../capabilities/host.ts';
import { BandwidthWatch } from '../capabilities/traffic/bandwidth-watch.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../node/clock.ts';
import type { SliceUsage } from '../node/host.ts';
import type { Log } from '../node/log.ts';
import type { ServerLoad } from '../node/server-load.ts';
import type { Metrics } from '../status/metrics.ts';
import { SliceLoad } from './slice-load.ts';
import { UsageIntervals } from './usage-intervals.ts';
import type { UsageReporter } from './usage-reporter.ts';

export interface UsageDeps {
  readonly host: Pick<
    Host,
    'traffic' | 'disk' | 'cgroups' | 'databases' | 'databaseConnections' | 'fullDisks'
  >;
  readonly ledger: Pick<Ledger, 'find' | 'specs'>;
  /** Queues a pass for an account, because the content of its sites may have to change. */
  readonly check: (uid: number) => void;
  /** Resolves once the accounts were observed after the start, so that the first disk sweep does not delay that. */
  readonly settled: Promise<void>;
  readonly trafficReadMs: number;
  /** Gets the parts of each completed interval. */
  readonly reporter: Pick<UsageReporter, 'add' | 'stop'>;
  readonly mail: () => readonly AccountMail[];
  readonly serverLoad: () => Promise<ServerLoad>;
  /** Time since 1970 in ms. */
  readonly unixMs: () => number;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Usage {
  /**
   * Answers at once, from known values. Accounts that are unknown here, or whose disk usage is not known yet, are left
   * out.
   */
  answer(question: Question<'usage'>): Promise<Answer<'usage'>>;
  /** Aborts running work and starts nothing more. */
  stop(): Promise<void>;
}

const SAMPLE_EVERY_MS = 15_000;
const CONNECTIONS_EVERY_MS = 1_000;
const DISK_LIMITS_EVERY_MS = 2_000;
const GIVE_BACK_EVERY_MS = 15_000;
/** The asker's timeout is 2 s. */
const WAIT_FOR_DISK_MS = 1_000;
/** An agent that is always busy still sweeps after this time. */
const LONGEST_WITHOUT_SWEEP_MS = 300_000;
const MIB = 1_048_576;

/** Measures the usage of the accounts while the agent runs. */
export function startUsage(deps: UsageDeps): Usage {
  const { host, ledger, metrics, clock, log } = deps;
  const present = () => ledger.specs().filter(({ desired_state }) => desired_state !== 'absent');
  const slices = new SliceLoad(host.cgroups);
  const watch = new BandwidthWatch(host.traffic, present);
  const disk = new DiskUsage({
    disk: host.disk,
    accounts: () => present().map(storedThingsOf),
    clock,
    log,
    onSwept: (tookMs) => metrics.diskSweep.set(tookMs / 1_000),
  });

  const intervals = new UsageIntervals({
    specs: present,
    diskBytes: (uid) => disk.bytesOf(uid),
    mail: deps.mail,
    takeAnswered: () => host.traffic.takeAnswered(),
  });

  const diskLimits = new DiskLimitWatch({
    host,
    disk,
    specs: present,
    storedThingsOf,
    check: deps.check,
    now: () => clock.now(),
  });

  function startSweep(): void {
    cancelLateSweep();
    disk.start();
  }

  async function readTraffic(): Promise<void> {
    const before = { ...host.traffic.statistics };
    await host.traffic.read();
    const now = host.traffic.statistics;
    metrics.trafficBytes.inc(now.countedBytes - before.countedBytes);
    metrics.trafficRefused.inc(now.refusedLines - before.refusedLines);
    metrics.trafficLost.inc(now.lostFiles - before.lostFiles);
    metrics.trafficRead.set(Date.now() / 1_000);
    for (const uid of watch.crossed()) deps.check(uid);
  }

  async function sampleSlices(): Promise<void> {
    const usages = await slices.sample(clock.now());
    metrics.diskUnknown.set(present().filter(({ uid }) => disk.bytesOf(uid) === undefined).length);
    await sumUp(usages);
  }

  async function sumUp(usages: ReadonlyMap<number, SliceUsage>): Promise<void> {
    const server = await deps.serverLoad();
    const moment = { unixMs: deps.unixMs(), nowMs: clock.now() };
    deps.reporter.add(intervals.add({ ...moment, slices: usages, server }));
  }

  async function watchConnections(): Promise<void> {
    for (const uid of await host.databaseConnections.watch()) deps.check(uid);
  }

  const loops = [
    repeat(watchConnections, CONNECTIONS_EVERY_MS, 'The check of database connections failed.'),
    repeat(
      () => diskLimits.watch(),
      DISK_LIMITS_EVERY_MS,
      'The check for accounts above their disk limit failed.',
    ),
    repeat(
      () => diskLimits.giveBackRoom(),
      GIVE_BACK_EVERY_MS,
      'The space of deleted database rows could not be freed.',
    ),
    repeat(readTraffic, deps.trafficReadMs, 'The access log of the sites could not be read.'),
    repeat(sampleSlices, SAMPLE_EVERY_MS, 'The load of the accounts could not be read.'),
  ];
  const cancelLateSweep = clock.after(LONGEST_WITHOUT_SWEEP_MS, startSweep);
  void deps.settled.then(startSweep);

  /** Runs a step now, and again this long after each end. A failure is logged. Returns a function that stops it. */
  function repeat(step: () => Promise<void>, everyMs: number, failure: string): () => Promise<void> {
    let ended = false;
    let cancel = () => {};
    let underWay = Promise.resolve();
    const run = () => {
      underWay = step()
        .catch((error: unknown) => log.warn({ err: error }, failure))
        .then(() => {
          if (!ended) cancel = clock.after(everyMs, run);
        });
    };
    run();
    return async () => {
      ended = true;
      cancel();
      await underWay;
    };
  }

  function usageOf(spec: AccountSpec): Answer<'usage'>['accounts'] {
    const diskBytes = disk.bytesOf(spec.uid);
    if (diskBytes === undefined) return [];
    const { cpuPercent, memoryBytes } = slices.of(spec.uid);
    return [
      {
        account_id: spec.account_id,
        disk_used_mb: Math.ceil(diskBytes / MIB),
        bandwidth_used_mb: Math.ceil(host.traffic.usedBytes(ownerOf(spec)) / MIB),
        cpu_used_percent: Math.round(cpuPercent),
        ram_used_mb: Math.ceil(memoryBytes / MIB),
      },
    ];
  }

  return {
    async answer({ account_ids }) {
      const specs = [...new Set(account_ids)]
        .flatMap((accountId) => ledger.find(accountId)?.spec ?? [])
        .filter(({ desired_state }) => desired_state !== 'absent');
      await disk.refresh(specs.map(storedThingsOf), WAIT_FOR_DISK_MS);
      return { month: host.traffic.month, accounts: specs.flatMap(usageOf) };
    },
    async stop() {
      cancelLateSweep();
      deps.reporter.stop();
      await Promise.all([disk.stop(), ...loops.map((end) => end())]);
      host.databaseConnections.close();
    },
  };
}

function storedThingsOf(spec: AccountSpec): StoredThings {
  const databases = spec.databases.filter(({ desired_state }) => desired_state !== 'absent');
  return { owner: ownerOf(spec), databases: databases.map(({ db_name }) => db_name) };
}
