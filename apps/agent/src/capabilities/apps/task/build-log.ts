import { closeSync, openSync, writeSync } from 'node:fs';

const MAX_BYTES = 1024 * 1024;
const TAIL_BYTES = 64 * 1024;

/** The log of a build: the first MiB of the output as it is printed, and the last 64 KiB. */
export class BuildLog {
  readonly #fd: number;
  #written = 0;
  #leftOut = 0;
  #tail = Buffer.alloc(0);

  /** Replaces the log of the previous build. */
  constructor(path: string) {
    this.#fd = openSync(path, 'w', 0o600);
  }

  write(chunk: Uint8Array | string): void {
    const bytes = Buffer.from(chunk as string);
    this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-TAIL_BYTES);
    if (this.#written < MAX_BYTES) this.#written += writeSync(this.#fd, bytes);
    else this.#leftOut += bytes.length;
  }

  /** Returns the last characters of the output. */
  tail(characters: number): string {
    return this.#tail.toString('utf8').slice(-characters);
  }

  close(): void {
    if (this.#leftOut > 0) writeSync(this.#fd, `\n[... the end of the log:]\n${this.#tail.toString('utf8')}`);
    closeSync(this.#fd);
  }
}
