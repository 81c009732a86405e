import type { Clock } from '../node/clock.ts';

/** `urgent`: a user waits for the result. `routine`: drift and retries, which must not delay urgent passes. */
export type Urgency = 'urgent' | 'routine';

const SLOW_MS = 5_000;

/**
 * Queue of the accounts that wait for a pass. An account is never in two passes at once, however often it is requested.
 * Requests for a waiting account are merged. A request during the account's pass causes one more pass after it. At most
 * `parallel` accounts are in a pass, plus the same number whose pass is slow. Urgent ones start first.
 */
export class AccountQueue {
  readonly #parallel: number;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #pass: (accountId: number, urgency: Urgency) => Promise<void>;
  readonly #waiting: Record<Urgency, Set<number>> = { urgent: new Set(), routine: new Set() };
  readonly #running = new Set<number>();
  readonly #slow = new Set<number>();
  readonly #again = new Map<number, Urgency>();
  #stopped = false;
  #whenIdle: (() => void)[] = [];

  /** `pass` must not reject. */
  constructor(
    parallel: number,
    clock: Pick<Clock, 'after'>,
    pass: (accountId: number, urgency: Urgency) => Promise<void>,
  ) {
    this.#parallel = parallel;
    this.#clock = clock;
    this.#pass = pass;
  }

  add(accountId: number, urgency: Urgency): void {
    if (this.#stopped) return;
    if (this.#running.has(accountId)) {
      if (urgency === 'urgent' || !this.#again.has(accountId)) this.#again.set(accountId, urgency);
      return;
    }
    if (this.#waiting.urgent.has(accountId)) return;
    if (urgency === 'urgent') this.#waiting.routine.delete(accountId);
    this.#waiting[urgency].add(accountId);
    this.#start();
  }

  /** Returns whether a pass of the account is waiting or running. */
  has(accountId: number): boolean {
    return (
      this.#running.has(accountId) ||
      this.#waiting.urgent.has(accountId) ||
      this.#waiting.routine.has(accountId)
    );
  }

  get waiting(): number {
    return this.#waiting.urgent.size + this.#waiting.routine.size;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Starts no further pass. Resolves when the last running pass has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.urgent.clear();
    this.#waiting.routine.clear();
    this.#again.clear();
    await this.idle();
  }

  /** Resolves once no pass is waiting or running. */
  idle(): Promise<void> {
    if (this.running === 0 && this.waiting === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #start(): void {
    while (this.#running.size - this.#slow.size < this.#parallel) {
      const next = this.#next();
      if (next === undefined) break;
      const [accountId, urgency] = next;
      this.#running.add(accountId);
      const cancel = this.#clock.after(SLOW_MS, () => this.#isSlow(accountId));
      void this.#pass(accountId, urgency).finally(() => {
        cancel();
        this.#ended(accountId);
      });
    }
  }

  #next(): [accountId: number, urgency: Urgency] | undefined {
    for (const urgency of ['urgent', 'routine'] as const)
      for (const accountId of this.#waiting[urgency]) {
        this.#waiting[urgency].delete(accountId);
        return [accountId, urgency];
      }
    return undefined;
  }

  #isSlow(accountId: number): void {
    if (this.#slow.size >= this.#parallel) return;
    this.#slow.add(accountId);
    this.#start();
  }

  #ended(accountId: number): void {
    this.#running.delete(accountId);
    this.#slow.delete(accountId);
    const again = this.#again.get(accountId);
    this.#again.delete(accountId);
    if (again !== undefined) this.add(accountId, again);
    this.#start();
    if (this.running === 0 && this.waiting === 0) {
      for (const resolve of this.#whenIdle) resolve();
      this.#whenIdle = [];
    }
  }
}
