import type { Urgency } from './account-queue.ts';

/**
 * Looking at an account costs little, and many looks share programs; changing one costs a lot. So many
 * accounts are looked at side by side, and only so many changed; the urgent ones first.
 */
export class ChangeSlots {
  #free: number;
  readonly #waiting: Record<Urgency, (() => void)[]> = { urgent: [], routine: [] };

  constructor(count: number) {
    this.#free = count;
  }

  /** Does the work once there is a slot for it. */
  async hold<T>(urgency: Urgency, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting[urgency].push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.urgent.shift() ?? this.#waiting.routine.shift();
      if (next !== undefined) next();
      else this.#free += 1;
    }
  }
}
