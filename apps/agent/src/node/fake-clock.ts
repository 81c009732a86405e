import type { Clock } from './clock.ts';

interface Timer {
  at: number;
  task: () => void;
}

/** A clock that only a test moves. */
export class FakeClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    const timer = { at: this.#now + delayMs, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Delays until the pending timers, ascending. */
  get waits(): number[] {
    return [...this.#timers].map((timer) => timer.at - this.#now).sort((a, b) => a - b);
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.task();
    }
    this.#now = end;
  }
}
