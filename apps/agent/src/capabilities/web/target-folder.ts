import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Changes } from '../../node/changes.ts';
import { folderOf, parseTarget } from './site-links.ts';
import { namesPasswords, needsPasswords, PASSWORD_FILE } from './site-settings.ts';

const FOLDER_MODE = 0o710;
const FILE_MODE = 0o640;

/**
 * What is below the target of a site with settings: folders whose names are values, and the file of passwords that nginx
 * reads. Only root and nginx can read it. The target of a site without settings is empty and never looked at.
 */
export class TargetFolder {
  readonly #webGid: number;
  readonly #changes: Changes;
  readonly #path: string;

  constructor(webGid: number, changes: Changes, path: string) {
    this.#webGid = webGid;
    this.#changes = changes;
    this.#path = path;
  }

  isWhole(text: string): boolean {
    const settings = parseTarget(text)?.settings ?? '';
    if (settings === '') return true;
    const folder = join(this.#path, folderOf(text));
    if (!this.#isRight(lstatSync(folder, { throwIfNoEntry: false }), FOLDER_MODE)) return false;
    if (lstatSync(join(this.#path, text), { throwIfNoEntry: false })?.isDirectory() !== true) return false;
    if (!needsPasswords(settings)) return true;
    const file = lstatSync(join(folder, PASSWORD_FILE), { throwIfNoEntry: false });
    return (
      file?.isFile() === true &&
      this.#isRight(file, FILE_MODE) &&
      namesPasswords(settings, this.passwordsOf(text))
    );
  }

  /** Makes everything below a target's folder. Nothing of it changes while it is whole. */
  fill(text: string, passwords: string | null): void {
    const folder = join(this.#path, folderOf(text));
    chownSync(folder, 0, this.#webGid);
    chmodSync(folder, FOLDER_MODE);
    if (passwords !== null) this.#writePasswords(folder, passwords);
    const below = text.slice(folderOf(text).length);
    // One after the other: `recursive` leaves the modes of the folders between to the umask.
    let path = folder;
    for (const part of below.split('/').slice(1)) {
      path = join(path, part);
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
        rmSync(path, { force: true });
        mkdirSync(path);
      }
      chownSync(path, 0, this.#webGid);
      chmodSync(path, FOLDER_MODE);
    }
    this.#changes.record();
  }

  /** The file of passwords of a target. Null: there is none. */
  passwordsOf(text: string): string | null {
    if (!needsPasswords(parseTarget(text)?.settings ?? '')) return null;
    const path = join(this.#path, folderOf(text), PASSWORD_FILE);
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
      ? readFileSync(path, 'latin1')
      : null;
  }

  /** Complete before it has its name. */
  #writePasswords(folder: string, passwords: string): void {
    const next = join(folder, `.${PASSWORD_FILE}`);
    rmSync(next, { force: true });
    const file = openSync(next, 'wx', 0o600);
    try {
      writeSync(file, passwords, null, 'latin1');
      fchownSync(file, 0, this.#webGid);
      fchmodSync(file, FILE_MODE);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, join(folder, PASSWORD_FILE));
  }

  #isRight(stats: Stats | undefined, mode: number): boolean {
    return stats?.uid === 0 && stats.gid === this.#webGid && (stats.mode & 0o7777) === mode;
  }
}
