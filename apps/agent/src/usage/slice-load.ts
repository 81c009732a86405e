import type { Cgroups, SliceUsage } from '../node/host.ts';

export interface Load {
  /** Percent of one core, averaged over the last minute. */
  readonly cpuPercent: number;
  readonly memoryBytes: number;
}

interface Sample {
  readonly at: number;
  readonly usages: ReadonlyMap<number, SliceUsage>;
}

const WINDOW_MS = 60_000;
const NOTHING: Load = { cpuPercent: 0, memoryBytes: 0 };

/**
 * CPU and memory of the existing slices, from samples of the last minute. For a slice without an entry in the oldest
 * sample, its whole CPU usage counts. A slice whose counter restarted from 0 was created again.
 */
export class SliceLoad {
  readonly #cgroups: Pick<Cgroups, 'usages'>;
  #samples: readonly Sample[] = [];

  constructor(cgroups: Pick<Cgroups, 'usages'>) {
    this.#cgroups = cgroups;
  }

  /** Takes a sample and returns it. `now`: ms on a monotonic clock. */
  async sample(now: number): Promise<ReadonlyMap<number, SliceUsage>> {
    const usages = await this.#cgroups.usages();
    const recent = this.#samples.filter(({ at }) => now - at <= WINDOW_MS);
    this.#samples = [...recent, { at: now, usages }];
    return usages;
  }

  of(uid: number): Load {
    const [oldest, newest] = [this.#samples[0], this.#samples.at(-1)];
    const last = newest?.usages.get(uid);
    if (oldest === undefined || newest === undefined || last === undefined) return NOTHING;
    const before = oldest.usages.get(uid)?.cpuMicroseconds ?? 0;
    const used = last.cpuMicroseconds - (before <= last.cpuMicroseconds ? before : 0);
    const spanMs = newest.at - oldest.at;
    return { cpuPercent: spanMs === 0 ? 0 : used / spanMs / 10, memoryBytes: last.memoryBytes };
  }
}
