import {
  type AccountMail,
  type AccountSpec,
  type AccountUsageInInterval,
  MOST_ACCOUNTS_IN_A_PART,
  MOST_SITES_IN_A_PART,
  type ServerUsage,
  type SiteUsage,
  type UsageReport,
} from '@innkeeper/protocol';
import type { Answered, Requests } from '../capabilities/traffic/host.ts';
import type { SliceUsage } from '../node/host.ts';
import type { ServerLoad } from '../node/server-load.ts';
import { IntervalClock, type Moment } from './interval-clock.ts';

export interface UsageIntervalsDeps {
  /** The accounts that are not being removed. */
  readonly specs: () => readonly AccountSpec[];
  /** Undefined: not measured yet. */
  readonly diskBytes: (uid: number) => number | undefined;
  /** Of accounts that sent mail today or yesterday, or have some in the queue. */
  readonly mail: () => readonly AccountMail[];
  readonly takeAnswered: () => ReadonlyMap<number, Answered>;
}

export interface UsageSample extends Moment {
  readonly slices: ReadonlyMap<number, SliceUsage>;
  readonly server: ServerLoad;
}

const MIB = 1_048_576;
const NOTHING: Requests = { sentBytes: 0, requests: 0, errors: 0 };

/**
 * Sums up samples to intervals of 5 minutes. The CPU time of a slice that ends between two samples is counted up to the
 * last one. A slice whose counter restarted was created again.
 */
export class UsageIntervals {
  readonly #deps: UsageIntervalsDeps;
  readonly #clock = new IntervalClock();
  #last: UsageSample | undefined;
  #atStart: ServerLoad | undefined;
  #cpuMicroseconds = new Map<number, number>();
  #memoryBytes = new Map<number, number>();
  #serverPeaks = { memoryBytes: 0, load: 0, running: 0 };

  constructor(deps: UsageIntervalsDeps) {
    this.#deps = deps;
  }

  /** Takes a sample. Returns the parts of the interval that it completes; none if it completes none. */
  add(sample: UsageSample): UsageReport[] {
    this.#sum(sample);
    const { ended, completed } = this.#clock.tick(sample);
    if (!ended) return [];
    const answered = this.#deps.takeAnswered();
    const reports = completed === undefined ? [] : this.#reportsOf(completed, sample, answered);
    this.#atStart = sample.server;
    this.#cpuMicroseconds = new Map();
    this.#memoryBytes = new Map();
    this.#serverPeaks = { memoryBytes: 0, load: 0, running: 0 };
    return reports;
  }

  #sum(sample: UsageSample): void {
    const { slices, server } = sample;
    for (const [uid, { cpuMicroseconds, memoryBytes }] of slices) {
      const before = this.#last?.slices.get(uid)?.cpuMicroseconds ?? 0;
      const used = cpuMicroseconds - (before <= cpuMicroseconds ? before : 0);
      // Before the first sample nothing is known.
      if (this.#last !== undefined)
        this.#cpuMicroseconds.set(uid, (this.#cpuMicroseconds.get(uid) ?? 0) + used);
      this.#memoryBytes.set(uid, Math.max(this.#memoryBytes.get(uid) ?? 0, memoryBytes));
    }
    const peaks = this.#serverPeaks;
    this.#serverPeaks = {
      memoryBytes: Math.max(peaks.memoryBytes, server.memoryUsedBytes),
      load: Math.max(peaks.load, server.load),
      running: Math.max(peaks.running, slices.size),
    };
    this.#last = sample;
  }

  #reportsOf(
    interval_start: number,
    { server }: UsageSample,
    answered: ReadonlyMap<number, Answered>,
  ): UsageReport[] {
    const specs = this.#deps.specs();
    const accounts = specs.map((spec) => this.#accountUsage(spec, answered.get(spec.uid)));
    const sites = specs.flatMap((spec) => sitesOf(spec, answered.get(spec.uid)));
    const parts = [
      ...inParts(accounts, MOST_ACCOUNTS_IN_A_PART).map((own) => ({ accounts: own, sites: [], mail: [] })),
      ...inParts(sites, MOST_SITES_IN_A_PART).map((own) => ({ accounts: [], sites: own, mail: [] })),
      ...inParts(this.#deps.mail(), MOST_ACCOUNTS_IN_A_PART).map((own) => ({
        accounts: [],
        sites: [],
        mail: own,
      })),
    ];
    const [first = { accounts: [], sites: [], mail: [] }, ...rest] = parts;
    const all = [
      { ...first, server: this.#serverUsage(server, answered, specs.length) },
      ...rest.map((part) => ({ ...part, server: null })),
    ];
    return all.map((part, at) => ({ interval_start, part: at, ...part }));
  }

  #accountUsage({ account_id, uid }: AccountSpec, answered: Requests = NOTHING): AccountUsageInInterval {
    const disk = this.#deps.diskBytes(uid);
    return {
      account_id,
      cpu_ms: Math.round((this.#cpuMicroseconds.get(uid) ?? 0) / 1_000),
      memory_mb: Math.ceil((this.#memoryBytes.get(uid) ?? 0) / MIB),
      disk_mb: disk === undefined ? null : Math.ceil(disk / MIB),
      ...figuresOf(answered),
    };
  }

  #serverUsage(server: ServerLoad, answered: ReadonlyMap<number, Answered>, accounts: number): ServerUsage {
    const { memoryBytes, load, running } = this.#serverPeaks;
    const sum = (value: (of: Requests) => number) =>
      [...answered.values()].reduce((total, of) => total + value(of), 0);
    const { cpuBusyMs, cpuTotalMs } = this.#atStart ?? server;
    return {
      // A processor that was taken away takes its counter with it.
      cpu_busy_ms: Math.max(0, Math.round(server.cpuBusyMs - cpuBusyMs)),
      cpu_total_ms: Math.max(0, Math.round(server.cpuTotalMs - cpuTotalMs)),
      memory_mb: Math.round(memoryBytes / MIB),
      memory_total_mb: Math.round(server.memoryBytes / MIB),
      disk_mb: Math.round(server.diskUsedBytes / MIB),
      disk_total_mb: Math.round(server.diskBytes / MIB),
      load_percent: Math.round(load * 100),
      ...figuresOf({
        sentBytes: sum(({ sentBytes }) => sentBytes),
        requests: sum(({ requests }) => requests),
        errors: sum(({ errors }) => errors),
      }),
      accounts,
      running_accounts: running,
    };
  }
}

/** The sites of an account that answered. A name with `www.` before it counts for the site that it leads to. */
function sitesOf({ domains }: AccountSpec, answered: Answered | undefined): SiteUsage[] {
  if (answered === undefined) return [];
  const ids = new Map(domains.map(({ name, domain_id }) => [name, domain_id]));
  const sites = new Map<number, Requests>();
  for (const [host, requests] of answered.hosts) {
    const id = ids.get(host) ?? ids.get(host.replace(/^www\./, ''));
    if (id === undefined) continue;
    const before = sites.get(id) ?? NOTHING;
    sites.set(id, {
      sentBytes: before.sentBytes + requests.sentBytes,
      requests: before.requests + requests.requests,
      errors: before.errors + requests.errors,
    });
  }
  return [...sites].map(([domain_id, requests]) => ({ domain_id, ...figuresOf(requests) }));
}

function figuresOf({ sentBytes, requests, errors }: Requests) {
  return { sent_bytes: sentBytes, requests, errors };
}

function inParts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}
