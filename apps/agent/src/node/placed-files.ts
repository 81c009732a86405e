import { chmod, lstat, mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Changes } from './changes.ts';
import { OWNERSHIP_HEADER, replaceFile } from './durable-files.ts';
import type { Placed, PlacedFiles } from './host.ts';
import { ifThere } from './if-there.ts';

/** The installer swaps this link to the folder of a release before it places the release's files. */
const CURRENT_RELEASE = '/opt/innkeeper/agent';

interface Original {
  /** Path at which the file is placed. */
  readonly path: string;
  readonly from: string;
  readonly mode: number;
}

const FOLDER_MODE = 0o755;
const NOTHING: Placed = { restored: [], wrong: [] };

/**
 * Compares the files that the installer has placed with those of the release, and restores a file that is missing,
 * empty or changed. A file without our header is foreign if the original has the header: it is left unchanged and
 * reported. While an installer replaces this release, the files are not checked.
 */
export class InstalledFiles implements PlacedFiles {
  readonly #release: string | undefined;
  readonly #changes: Changes;
  /** Identities of files that were found correct. */
  readonly #right = new Map<string, string>();
  #originals: Promise<readonly Original[]> | undefined;

  /** `release`: its folder. Undefined: this process does not run from a release, and maintains no files. */
  constructor(release: string | undefined, changes: Changes) {
    this.#release = release;
    this.#changes = changes;
  }

  async repair(below = '/'): Promise<Placed> {
    const release = this.#release;
    if (release === undefined || (await ifThere(realpath(CURRENT_RELEASE))) !== release) return NOTHING;
    this.#originals ??= listOriginals(join(release, 'files'));
    const restored: string[] = [];
    const wrong: string[] = [];
    for (const original of await this.#originals) {
      if (!original.path.startsWith(below)) continue;
      const outcome = await this.#repairFile(original);
      if (outcome === 'restored') restored.push(original.path);
      else if (outcome !== 'right') wrong.push(outcome);
    }
    return { restored, wrong };
  }

  /** Returns a sentence if the file cannot be repaired. */
  async #repairFile({ path, from, mode }: Original): Promise<string> {
    const found = await this.#identity(path);
    if (found !== undefined && this.#right.get(path) === found) return 'right';
    const wanted = await readFile(from, 'latin1');
    const text = found === undefined ? undefined : await readIfFile(path);
    const entry = found === undefined ? undefined : await lstat(path);
    const isRight = text === wanted && entry?.uid === 0 && entry.gid === 0 && (entry.mode & 0o7777) === mode;
    if (isRight) {
      this.#right.set(path, found!);
      return 'right';
    }
    if (isForeign(text, wanted))
      return `${path} does not belong to Innkeeper. Move it to another folder and run the installer again.`;
    try {
      await makeFolder(dirname(path));
      await replaceFile(path, wanted, { mode, gid: 0 });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return `${path} is missing or changed and cannot be restored (${code}). Run the installer again.`;
    }
    this.#changes.record();
    this.#right.set(path, (await this.#identity(path)) ?? '');
    return 'restored';
  }

  async #identity(path: string): Promise<string | undefined> {
    const entry = await ifThere(lstat(path, { bigint: true })).catch(() => undefined);
    if (entry === undefined) return undefined;
    const { dev, ino, size, mtimeNs, ctimeNs } = entry;
    return [dev, ino, size, mtimeNs, ctimeNs].join(':');
  }
}

async function listOriginals(folder: string): Promise<Original[]> {
  const entries = (await ifThere(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (from) => ({
      path: from.slice(folder.length),
      from,
      mode: ((await lstat(from)).mode & 0o100) === 0 ? 0o644 : 0o755,
    })),
  );
}

/** Independent of the agent's umask. */
async function makeFolder(path: string): Promise<void> {
  if ((await ifThere(lstat(path))) !== undefined) return;
  await makeFolder(dirname(path));
  await mkdir(path);
  await chmod(path, FOLDER_MODE);
}

/** Undefined if it is not a file. */
async function readIfFile(path: string): Promise<string | undefined> {
  const entry = await lstat(path);
  return entry.isFile() ? await readFile(path, 'latin1') : undefined;
}

function isForeign(text: string | undefined, wanted: string): boolean {
  if (text === undefined || text.trim() === '') return false;
  return wanted.includes(OWNERSHIP_HEADER) && !text.includes(OWNERSHIP_HEADER);
}
