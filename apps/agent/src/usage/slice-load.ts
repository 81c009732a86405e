import type { Cgroups, SliceUsage } from '../node/host.ts';

export interface Load {
  /** Percent of one core, over the last minute. */
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
 * CPU and memory of the slices that exist, from samples of the last minute. A slice that was not there in the
 * oldest sample has used all that it has used since; one whose counter runs from 0 again was made anew.
 */
export class SliceLoad {
  readonly #cgroups: Pick<Cgroups, 'usages'>;
  #samples: readonly Sample[] = [];

  constructor(cgroups: Pick<Cgroups, 'usages'>) {
    this.#cgroups = cgroups;
  }

  /** `now` in ms, as a clock that only grows has it. */
  async sample(now: number): Promise<void> {
    const usages = await this.#cgroups.usages();
    const recent = this.#samples.filter(({ at }) => now - at <= WINDOW_MS);
    this.#samples = [...recent, { at: now, usages }];
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
