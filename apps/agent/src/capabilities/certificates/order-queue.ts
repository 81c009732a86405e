/**
 * A queue of named background work: a few run at a time, the others wait for their turn. When `stop` resolves, the
 * stopped work has ended.
 */
export class OrderQueue {
  readonly #atATime: number;
  readonly #first = new Map<string, () => Promise<void>>();
  readonly #waiting = new Map<string, () => Promise<void>>();
  readonly #running = new Map<string, { readonly end: AbortController; readonly ended: Promise<void> }>();
  #stopped = false;

  constructor(atATime: number) {
    this.#atATime = atATime;
  }

  has(name: string): boolean {
    return this.#first.has(name) || this.#waiting.has(name) || this.#running.has(name);
  }

  /**
   * `work` does not reject, and ends soon after its signal. Does nothing when work of that name already runs. Work with
   * `isFirst` starts before all waiting work without it.
   */
  start(
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    { isFirst = false }: { isFirst?: boolean } = {},
  ): void {
    if (this.#stopped || this.has(name)) return;
    (isFirst ? this.#first : this.#waiting).set(name, () => {
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
    this.#first.delete(name);
    this.#waiting.delete(name);
    const running = this.#running.get(name);
    running?.end.abort();
    await running?.ended;
  }

  async stopAll(): Promise<void> {
    this.#stopped = true;
    const names = [this.#first, this.#waiting, this.#running].flatMap((some) => [...some.keys()]);
    await Promise.all(names.map((name) => this.stop(name)));
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #next(): void {
    for (const waiting of [this.#first, this.#waiting])
      for (const [name, begin] of waiting) {
        if (this.#running.size >= this.#atATime) return;
        waiting.delete(name);
        void begin();
      }
  }
}
