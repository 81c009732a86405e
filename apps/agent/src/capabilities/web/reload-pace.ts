import { setTimeout as delay } from 'node:timers/promises';
import type { Site } from './host.ts';

/** Number of publications that an account may make in a row before it waits. */
const IN_A_ROW = 60;
/** The account regains one publication in each interval of this many ms. */
const ONE_EVERY_MS = 2_000;

/**
 * Rate limit for reloads. A reload is work for the whole server, and an account can cause one with each change of its
 * sites. The first publications run at once. An account that has used them up waits 2 s before each further one.
 * Publications that remove an account's sites never wait.
 */
export class ReloadPace {
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** By uid: the time when the account has all of its publications again. */
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
