import type { Clock } from '../node/clock.ts';
import type { Urgency } from './account-queue.ts';

/** A change that takes longer than this loses its slot, so that one slow account does not delay the others. */
const SLOW_MS = 2_000;
/** Maximum number of changes without a slot, for each slot. */
const MAX_SLOW = 4;

interface Waiting {
  begin(): void;
}

/**
 * Limits how many accounts are changed concurrently. Observing an account is cheap, and many observations share
 * programs; changing one is expensive. So many accounts are observed concurrently, and few are changed. Urgent changes
 * go first.
 */
export class ChangeSlots {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #maxSlow: number;
  #free: number;
  #slow = 0;
  readonly #waiting: Record<Urgency, Waiting[]> = { urgent: [], routine: [] };

  constructor(count: number, clock: Pick<Clock, 'after'>) {
    this.#free = count;
    this.#maxSlow = count * MAX_SLOW;
    this.#clock = clock;
  }

  /** Runs the work once a slot is free. Rejects with the signal's reason if it is aborted before that. */
  async hold<T>(urgency: Urgency, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(urgency, signal);
    let isSlow = false;
    const cancel = this.#clock.after(SLOW_MS, () => {
      if (this.#slow >= this.#maxSlow) return;
      isSlow = true;
      this.#slow += 1;
      this.#pass();
    });
    try {
      return await work();
    } finally {
      cancel();
      if (isSlow) this.#slow -= 1;
      else this.#pass();
    }
  }

  async #wait(urgency: Urgency, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let leave = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting = { begin: resolve };
        leave = () => {
          const at = this.#waiting[urgency].indexOf(waiting);
          if (at === -1) return;
          this.#waiting[urgency].splice(at, 1);
          reject(signal.reason);
        };
        this.#waiting[urgency].push(waiting);
        signal.addEventListener('abort', leave, { once: true });
      });
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Gives a free slot to the next waiter. */
  #pass(): void {
    const next = this.#waiting.urgent.shift() ?? this.#waiting.routine.shift();
    if (next !== undefined) next.begin();
    else this.#free += 1;
  }
}
