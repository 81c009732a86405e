/** Counts the work of a job, and lets requests in between. Throws when the job is cancelled. */
export class Progress {
  readonly signal: AbortSignal;
  readonly unit: 'bytes' | 'entries';
  done = 0;
  total = 0;
  /** Entries that were left out. */
  skipped = 0;
  #steps = 0;

  constructor(signal: AbortSignal, unit: 'bytes' | 'entries') {
    this.signal = signal;
    this.unit = unit;
  }

  add(count: number): void {
    this.signal.throwIfAborted();
    this.done += count;
  }

  /** To be awaited after each entry: synchronous work would otherwise hide a cancellation. */
  async step(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % 100 === 0) await new Promise(setImmediate);
    this.signal.throwIfAborted();
  }
}
