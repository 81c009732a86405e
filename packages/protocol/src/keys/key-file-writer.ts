import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The readers of a file. `public`: everyone. `group`: root and the API's group. `root`: only root. */
export type Audience = 'public' | 'group' | 'root';

const modes: Record<Audience, number> = { public: 0o644, group: 0o640, root: 0o600 };

/**
 * Writes the files of a key folder atomically: a file is complete and on disk, or does not exist. Keeps the content of
 * existing files, but sets their owner and mode again each time.
 */
export class KeyFileWriter {
  readonly created: string[] = [];
  readonly kept: string[] = [];
  readonly #gid: number | null;

  /** `gid`: the group of the API. Null keeps owners unchanged and gives the group no access. */
  constructor(gid: number | null) {
    this.#gid = gid;
  }

  async ensureDirectory(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o750 });
    await this.#own(path, this.#gid === null ? 0o700 : 0o750, 'group');
  }

  /** Returns the text of the file. If the file does not exist, creates it with the text from `make`. */
  async ensureFile(path: string, audience: Audience, make: () => string | Promise<string>): Promise<string> {
    if (!existsSync(path)) {
      const text = await make();
      await this.writeFile(path, audience, text);
      return text;
    }
    await this.#own(path, this.#modeOf(audience), audience);
    this.kept.push(path);
    return readFile(path, 'utf8');
  }

  /** Replaces the whole file atomically. */
  async writeFile(path: string, audience: Audience, text: string): Promise<void> {
    const temporary = `${path}.new`;
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#own(temporary, this.#modeOf(audience), audience);
    await rename(temporary, path);
    const folder = await open(dirname(path), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    this.created.push(path);
  }

  #modeOf(audience: Audience): number {
    return audience === 'group' && this.#gid === null ? modes.root : modes[audience];
  }

  async #own(path: string, mode: number, audience: Audience): Promise<void> {
    if (this.#gid !== null) await chown(path, 0, audience === 'root' ? 0 : this.#gid);
    await chmod(path, mode);
  }
}
