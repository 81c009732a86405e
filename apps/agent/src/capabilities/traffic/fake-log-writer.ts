import { closeSync, existsSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { LogWriter } from './traffic-log.ts';

/** Writes a log as nginx does: the master opens it for all, and workers reopen it some time after a signal. */
export class FakeLogWriter implements LogWriter {
  readonly #path: string;
  #master: number;
  readonly #workers: { descriptor: number; signalled: boolean }[];
  reopened = 0;

  constructor(folder: string, workers = 2) {
    this.#path = join(folder, 'traffic.log');
    this.#master = this.#openLog();
    this.#workers = Array.from({ length: workers }, () => ({
      descriptor: this.#openLog(),
      signalled: false,
    }));
  }

  write(worker: number, text: string): void {
    writeSync(this.#workers[worker]!.descriptor, text);
  }

  async reopen(): Promise<void> {
    this.reopened += 1;
    closeSync(this.#master);
    this.#master = this.#openLog();
    for (const worker of this.#workers) worker.signalled = true;
  }

  /** A worker reacts to its signal. */
  heed(at: number): void {
    const worker = this.#workers[at]!;
    if (!worker.signalled) return;
    worker.signalled = false;
    // The worker may not create a file there, and keeps the one it has.
    if (!existsSync(this.#path)) return;
    closeSync(worker.descriptor);
    worker.descriptor = this.#openLog();
  }

  async openLogFiles() {
    const idOf = (descriptor: number): [string, string] => {
      const { dev, ino } = fstatSync(descriptor, { bigint: true });
      return [`${dev}:${ino}`, `/proc/self/fd/${descriptor}`];
    };
    return new Map([this.#master, ...this.#workers.map(({ descriptor }) => descriptor)].map(idOf));
  }

  end(): void {
    for (const descriptor of [this.#master, ...this.#workers.map((worker) => worker.descriptor)])
      closeSync(descriptor);
  }

  #openLog(): number {
    return openSync(this.#path, 'a');
  }
}
