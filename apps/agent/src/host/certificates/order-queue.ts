/**
 * Work that goes on by itself, each piece under a name: a few at a time, the others wait for their turn. What is
 * stopped has ended when `stop` resolves.
 */
export class OrderQueue {
  readonly #atATime: number;
  readonly #waiting = new Map<string, () => Promise<void>>();
  readonly #running = new Map<string, { readonly end: AbortController; readonly ended: Promise<void> }>();
  #stopped = false;

  constructor(atATime: number) {
    this.#atATime = atATime;
  }

  has(name: string): boolean {
    return this.#waiting.has(name) || this.#running.has(name);
  }

  /** `work` does not reject, and ends soon after its signal. Nothing happens when work of that name goes on. */
  start(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    if (this.#stopped || this.has(name)) return;
    this.#waiting.set(name, () => {
      const end = new AbortController();
      const ended = work(end.signal).finally(() => {
        this.#running.delete(name);
        this.#next();
      });
      this.#running.set(name, { end, ended });
      return ended;
    });
    this.#next();
  }

  async stop(name: string): Promise<void> {
    this.#waiting.delete(name);
    const running = this.#running.get(name);
    running?.end.abort();
    await running?.ended;
  }

  async stopAll(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#waiting.keys(), ...this.#running.keys()].map((name) => this.stop(name)));
  }

  /** Resolves once nothing waits and nothing runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #next(): void {
    for (const [name, begin] of this.#waiting) {
      if (this.#running.size >= this.#atATime) return;
      this.#waiting.delete(name);
      void begin();
    }
  }
}
