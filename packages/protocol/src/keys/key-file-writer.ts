import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Who may read a file: `public` everybody, `group` the API's group, `root` nobody else. */
export type Audience = 'public' | 'group' | 'root';

const modes: Record<Audience, number> = { public: 0o644, group: 0o640, root: 0o600 };

/**
 * Writes the files of a key folder: a file is complete and on disk, or not there. What exists is kept but
 * for its owner and mode, which are set again each time.
 */
export class KeyFileWriter {
  readonly created: string[] = [];
  readonly kept: string[] = [];
  readonly #gid: number | null;

  /** `gid`: the group that the API runs with; null leaves owners as they are and the group without access. */
  constructor(gid: number | null) {
    this.#gid = gid;
  }

  async ensureDirectory(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o750 });
    await this.#own(path, this.#gid === null ? 0o700 : 0o750, 'group');
  }

  /** The text of the file, which `make` makes where there is none. */
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

  /** Replaces the file as a whole. */
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
