import { statSync } from 'node:fs';

/**
 * Modification times of a folder of cron tables. Cron reads the folder, or a table that it knows, again only when the
 * modification time in whole seconds differs from the one that it has read. Each change therefore gets a second that no
 * earlier change of the folder or of a table had: the clock's, or the one after the last, which may be in the future.
 * `next` is synchronous: a caller that sets the time in the same turn keeps concurrent changes in order.
 */
export class TableTimes {
  readonly #folder: string;
  #last = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Reads the time of the folder. Call it before an entry is renamed or removed, because that sets the folder to the
   * clock's time.
   */
  keep(): void {
    this.#last = Math.max(this.#last, secondsOf(this.#folder));
  }

  /** Returns the next time, in seconds. It is also later than that of `before`, the table that is replaced. */
  next(before = this.#folder): number {
    this.keep();
    this.#last = Math.max(Math.floor(Date.now() / 1_000), Math.max(this.#last, secondsOf(before)) + 1);
    return this.#last;
  }
}

function secondsOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Math.floor(stats.mtimeMs / 1_000);
}
