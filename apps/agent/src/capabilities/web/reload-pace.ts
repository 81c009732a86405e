import { setTimeout as delay } from 'node:timers/promises';
import type { Site } from './host.ts';

/** Publications that an account may have in a row before it waits. */
const IN_A_ROW = 60;
/** It gets another one so often. */
const ONE_EVERY_MS = 2_000;

/**
 * A reload is work for the whole server, and an account can ask for one with each change of its sites. The first ones are
 * made at once; who has had very many waits for 2 s before each. What takes an account's sites away never waits.
 */
export class ReloadPace {
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** When an account will have all of its publications again. */
  readonly #fullAt = new Map<number, number>();

  constructor(now: () => number, wait: (ms: number) => Promise<unknown> = delay) {
    this.#now = now;
    this.#wait = wait;
  }

  /** Resolves when the account may publish these sites. */
  async turn(uid: number, sites: readonly Site[]): Promise<void> {
    if (sites.every(({ kind }) => kind === 'suspended')) return;
    const now = this.#now();
    for (const [some, at] of this.#fullAt) if (at <= now) this.#fullAt.delete(some);
    const fullAt = Math.max(now, this.#fullAt.get(uid) ?? 0) + ONE_EVERY_MS;
    this.#fullAt.set(uid, fullAt);
    const waitMs = fullAt - now - IN_A_ROW * ONE_EVERY_MS;
    if (waitMs > 0) await this.#wait(waitMs);
  }
}
