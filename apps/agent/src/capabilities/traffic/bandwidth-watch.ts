import type { AccountSpec } from '@innkeeper/protocol';
import { ownerOf } from '../claim.ts';
import type { Traffic } from './host.ts';

/**
 * Sees accounts cross their bandwidth limit, in either direction: by what they send, by a new limit, by a new
 * month. To be made before any account is looked at.
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

  /** The uids of accounts that have crossed since the last call. */
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
