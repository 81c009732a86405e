import type { AccountSpec } from '@innkeeper/protocol';
import { ownerOf } from '../claim.ts';
import type { Traffic } from './host.ts';

/**
 * Detects accounts that cross their bandwidth limit, in either direction: because of their traffic, a new limit, or a
 * new month. Create it before any account is observed.
 */
export class BandwidthWatch {
  readonly #traffic: Traffic;
  readonly #specs: () => readonly AccountSpec[];
  #exceeded: ReadonlySet<number>;

  constructor(traffic: Traffic, specs: () => readonly AccountSpec[]) {
    this.#traffic = traffic;
    this.#specs = specs;
    this.#exceeded = this.#now();
  }

  /** Returns the uids of accounts that have crossed since the last call. */
  crossed(): number[] {
    const [before, now] = [this.#exceeded, this.#now()];
    this.#exceeded = now;
    return [...new Set([...now, ...before])].filter((uid) => now.has(uid) !== before.has(uid));
  }

  #now(): ReadonlySet<number> {
    const over = this.#specs().filter((spec) =>
      this.#traffic.isExceeded(ownerOf(spec), spec.limits.bandwidth_mb),
    );
    return new Set(over.map(({ uid }) => uid));
  }
}
