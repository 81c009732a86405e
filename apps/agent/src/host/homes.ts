import { chmod, constants, lchown, lstat, mkdir, open, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { assertOwner } from './account-uid.ts';
import type { Changes } from './changes.ts';
import type { Exec } from './exec.ts';
import { FilesAsUser } from './files-as-user.ts';
import type { HomeState, Homes, Owner } from './host.ts';
import { conflict, HostError } from './host-error.ts';
import { listIfThere, statIfThere } from './if-there.ts';
import type { LookAsUsers } from './look-as-users.ts';

/**
 * /home/<name>: owner the account, group the web server's, 0750. Root touches entries of /home itself
 * only, which no account can rename; whatever lies below is done by FilesAsUser.
 *
 * A new home is made under a name of root's and renamed when it is right. A removal empties the home as
 * the user; what the user cannot remove (files of others) is renamed into a folder that only root enters
 * and removed there, where nobody can exchange anything for a link.
 */
const HOME_MODE = 0o750;
const TRASH = '.innkeeper-trash';

export class HomeFolders implements Homes {
  readonly #exec: Exec;
  readonly #changes: Changes;
  readonly #webGroup: number;
  readonly #files: FilesAsUser;
  readonly #base: string;

  constructor(
    exec: Exec,
    look: LookAsUsers,
    changes: Changes,
    webGroup: number,
    welcomePage: string,
    base = '/home',
  ) {
    this.#exec = exec;
    this.#changes = changes;
    this.#webGroup = webGroup;
    this.#base = base;
    this.#files = new FilesAsUser(exec, look, welcomePage);
  }

  async observe(owner: Owner): Promise<HomeState> {
    assertOwner(owner);
    const [entry, made, trash] = await Promise.all([
      statIfThere(this.#home(owner)),
      statIfThere(this.#fresh(owner)),
      this.#trashOf(owner),
    ]);
    const leftovers = [...(made === undefined ? [] : [this.#fresh(owner)]), ...trash];
    if (entry === undefined) return { kind: 'missing', accessRight: false, leftovers };
    const kind = entry.isDirectory() && entry.uid === owner.uid ? 'ours' : 'foreign';
    const accessRight = entry.gid === this.#webGroup && (entry.mode & 0o7777) === HOME_MODE;
    return { kind, accessRight, leftovers };
  }

  async create(owner: Owner): Promise<void> {
    assertOwner(owner);
    const home = this.#home(owner);
    if ((await statIfThere(home)) !== undefined) throw conflict(`${home} exists already.`);
    const fresh = this.#fresh(owner);
    if ((await statIfThere(fresh)) === undefined) await mkdir(fresh, { mode: 0o700 });
    await lchown(fresh, owner.uid, this.#webGroup);
    await chmod(fresh, HOME_MODE);
    this.#changes.record();
    await rename(fresh, home);
    this.#changes.record();
  }

  async repairAccess(owner: Owner): Promise<void> {
    assertOwner(owner);
    const folder = await open(
      this.#home(owner),
      constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
    );
    try {
      if ((await folder.stat()).uid !== owner.uid) throw conflict(`${this.#home(owner)} is another user's.`);
      await folder.chown(owner.uid, this.#webGroup);
      await folder.chmod(HOME_MODE);
    } finally {
      await folder.close();
    }
    this.#changes.record();
  }

  async missing(owner: Owner, paths: readonly string[]): Promise<string[]> {
    assertOwner(owner);
    return this.#files.missing(owner.uid, this.#home(owner), paths);
  }

  async createFolders(owner: Owner, paths: readonly string[], mode: '0700' | '0755'): Promise<void> {
    assertOwner(owner);
    await this.#files.createFolders(owner.uid, this.#home(owner), paths, mode);
  }

  async createDocumentRoot(owner: Owner, path: string): Promise<void> {
    assertOwner(owner);
    await this.#files.createDocumentRoot(owner.uid, this.#home(owner), path);
  }

  async remove(owner: Owner): Promise<void> {
    assertOwner(owner);
    const home = this.#home(owner);
    const entry = await statIfThere(home);
    if (entry?.isDirectory() === true && entry.uid === owner.uid) {
      await this.#files.empty(owner.uid, home);
      if (!(await this.#removeEmpty(home))) await this.#trash(owner, home);
    }
    await this.#removeEmpty(this.#fresh(owner));
    for (const path of await this.#trashOf(owner)) {
      await this.#exec.change('/usr/bin/rm', ['-rf', '--one-file-system', '--', path], {
        timeoutMs: 600_000,
      });
      if ((await statIfThere(path)) !== undefined)
        throw new HostError('Failed', `${path} cannot be removed whole; is something mounted in it?`);
    }
  }

  async #removeEmpty(path: string): Promise<boolean> {
    try {
      await rmdir(path);
      this.#changes.record();
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return true;
      if (code === 'ENOTEMPTY' || code === 'EBUSY') return false;
      throw error;
    }
  }

  async #trash(owner: Owner, home: string): Promise<void> {
    const trash = join(this.#base, TRASH);
    await mkdir(trash, { recursive: true, mode: 0o700 });
    const { uid, mode } = await lstat(trash);
    if (uid !== 0 || (mode & 0o077) !== 0) throw conflict(`${trash} must be root's alone (0700).`);
    await rename(home, join(trash, `${owner.uid}-${Date.now()}`));
    this.#changes.record();
  }

  async #trashOf(owner: Owner): Promise<string[]> {
    const trash = join(this.#base, TRASH);
    const names = await listIfThere(trash);
    return names.filter((name) => name.startsWith(`${owner.uid}-`)).map((name) => join(trash, name));
  }

  #home(owner: Owner): string {
    return join(this.#base, owner.name);
  }

  #fresh(owner: Owner): string {
    return join(this.#base, `.innkeeper-new-${owner.uid}`);
  }
}
