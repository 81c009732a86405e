import { constants, type Stats } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  opendir,
  readlink,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { conflict, HostError } from './host-error.ts';
import { ifThere, listIfThere } from './if-there.ts';

/**
 * Every change that root makes in folders where accounts have entries: /home, instances of /tmp, spools of cron and
 * mail. It walks from / to the folder step by step with file descriptors, and refuses a folder that any user but root
 * can change. So no user can exchange a part of the path, before or after the check. The operation then acts on an
 * entry of that exact folder (`/proc/self/fd/N/name`, because Node.js has no openat), and no call follows a link.
 * Deeper entries belong to the accounts, and are changed by children that act as the account.
 *
 * `scripts/check-imports.ts` lists the modules that may change files in another way, each with its reason.
 */
const OPEN_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Users and groups below this id belong to the system. No account has their rights. */
const FIRST_PERSON = 1_000;
const WRITABLE_FOR_GROUP = 0o020;
const WRITABLE_FOR_OTHERS = 0o002;
/** Trash inside such a folder: entries that are to be removed. Their names begin with a uid and `-`. */
const TRASH = '.innkeeper-trash';
const CLOSED_MODE = 0o700;
const AT_ONCE = 64;
const MOST_LINKS = 8;

/** `spool`: users and groups of the system may write to the folder itself, as to /var/mail. */
export type FolderKind = 'root' | 'spool';

export class RootFolder {
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Opens a folder, runs work in it, and closes it. Undefined if the folder does not exist. Throws HostError `Conflict`
   * if another user may write to the folder or to one of its parents.
   */
  static async within<T>(
    path: string,
    work: (folder: RootFolder) => Promise<T>,
    kind: FolderKind = 'root',
  ): Promise<T | undefined> {
    const handle = await ifThere(walk(path, kind));
    if (handle === undefined) return undefined;
    try {
      return await work(new RootFolder(path, handle));
    } finally {
      await handle.close();
    }
  }

  /** Returns the entry with this name, without following a link. Undefined if it does not exist. */
  async entry(name: string): Promise<Stats | undefined> {
    return await ifThere(lstat(this.#at(name)));
  }

  async makeFolder(name: string, mode: number): Promise<void> {
    await mkdir(this.#at(name), { mode });
  }

  /**
   * Sets owner, group and mode of a folder if `isRight` confirms that it is the expected one. Throws `Conflict`
   * otherwise.
   */
  async giveFolder(
    name: string,
    access: { readonly uid: number; readonly gid: number; readonly mode: number },
    isRight: (stats: Stats) => boolean,
  ): Promise<void> {
    const folder = await openAt(this.#at(name), join(this.path, name));
    try {
      if (!isRight(await folder.stat())) throw conflict(`${join(this.path, name)} is another user's.`);
      await folder.chown(access.uid, access.gid);
      await folder.chmod(access.mode);
    } finally {
      await folder.close();
    }
  }

  /** Renames within this folder. An entry with the new name is replaced as rename(2) does. */
  async rename(name: string, newName: string): Promise<void> {
    await rename(this.#at(name), this.#at(newName));
  }

  /** Returns whether there was something to remove. Throws for a folder. */
  async unlink(name: string): Promise<boolean> {
    return (await ifThere(unlink(this.#at(name)).then(() => true))) ?? false;
  }

  /** Returns whether the entry is gone. False for a folder that is not empty. */
  async removeEmpty(name: string): Promise<boolean> {
    try {
      await rmdir(this.#at(name));
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return true;
      if (code === 'ENOTEMPTY' || code === 'EBUSY') return false;
      throw error;
    }
  }

  /**
   * Moves an entry to a folder that only root can enter, under a name that begins with the uid. `emptyTrash` removes
   * it.
   */
  async trash(name: string, uid: number): Promise<void> {
    await this.#makeTrash();
    await this.#inTrash(async (trash) => {
      await rename(this.#at(name), trash.#at(`${uid}-${Date.now()}`));
    });
  }

  /**
   * Removes the uid's entries in the trash. Throws HostError when something remains, for example a mount.
   *
   * Folders in the trash may belong to users who have them open and may write to them. So each folder first becomes
   * root-owned, and its subfolders are moved into the trash itself and removed in turn. So no user can add entries to a
   * folder that is being emptied, and no depth is too great.
   */
  async emptyTrash(uid: number): Promise<void> {
    await this.#inTrash(async (trash) => {
      let moved = 0;
      const aside = () => {
        moved += 1;
        return trash.#at(`${uid}-${Date.now()}-${moved}`);
      };
      for (let names = await trash.#namesOf(uid); names.length > 0; names = await trash.#namesOf(uid))
        for (const name of names) await trash.#removeFlat(name, aside);
    });
  }

  async #removeFlat(name: string, aside: () => string): Promise<void> {
    const shown = join(this.path, name);
    try {
      const entry = await this.entry(name);
      if (entry === undefined) return;
      if (!entry.isDirectory()) {
        await this.unlink(name);
        return;
      }
      const folder = await openAt(this.#at(name), shown);
      try {
        await folder.chown(0, 0);
        await folder.chmod(CLOSED_MODE);
        while ((await removeEntries(folder.fd, aside)) > 0);
      } finally {
        await folder.close();
      }
      await rmdir(this.#at(name));
    } catch (error) {
      if (error instanceof HostError) throw error;
      throw new HostError('Failed', `${shown} cannot be removed whole; is something mounted in it?`, {
        cause: error,
      });
    }
  }

  async #makeTrash(): Promise<void> {
    if ((await this.entry(TRASH)) === undefined) await this.makeFolder(TRASH, CLOSED_MODE);
    const { uid, mode } = (await this.entry(TRASH))!;
    if (uid !== 0 || (mode & 0o077) !== 0)
      throw conflict(`${join(this.path, TRASH)} must be root's alone (0700).`);
  }

  async #inTrash<T>(work: (trash: RootFolder) => Promise<T>): Promise<T | undefined> {
    return await RootFolder.within(join(this.path, TRASH), work);
  }

  async #namesOf(uid: number): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of await opendir(`/proc/self/fd/${this.#handle.fd}`))
      if (name.startsWith(`${uid}-`)) names.push(name);
    return names;
  }

  #at(name: string): string {
    return entryOf(this.#handle.fd, name);
  }
}

/** Returns the paths of the uid's entries in the trash of a folder. Only reads. */
export async function trashOf(folder: string, uid: number): Promise<string[]> {
  const trash = join(folder, TRASH);
  const names = await listIfThere(trash);
  return names.filter((name) => name.startsWith(`${uid}-`)).map((name) => join(trash, name));
}

/**
 * Walks from / to a folder with file descriptors. Each folder is checked before the next one is opened in it. A link in
 * such a folder is root-owned (`/home` on another disk): it is read and walked in the same way.
 */
async function walk(path: string, kind: FolderKind): Promise<FileHandle> {
  let names = namesOf(path);
  let links = 0;
  let [handle, shown] = [await open('/', OPEN_FOLDER), '/'];
  try {
    await assertClosed(handle, shown, names.length === 0 ? kind : 'root');
    while (names.length > 0) {
      const [name, ...rest] = names as [string, ...string[]];
      const target = await linkTarget(entryOf(handle.fd, name));
      if (target !== undefined) {
        links += 1;
        if (links > MOST_LINKS) throw conflict(`${path} has too many links in it.`);
        names = [...namesOf(resolve(shown, target)), ...rest];
        await handle.close();
        [handle, shown] = [await open('/', OPEN_FOLDER), '/'];
        continue;
      }
      shown = join(shown, name);
      const next = await openAt(entryOf(handle.fd, name), shown);
      await handle.close();
      handle = next;
      names = rest;
      await assertClosed(handle, shown, names.length === 0 ? kind : 'root');
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

/** Undefined if it is not a link. */
async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') return undefined;
    throw error;
  }
}

async function assertClosed(handle: FileHandle, shown: string, kind: FolderKind): Promise<void> {
  const { uid, gid, mode } = await handle.stat();
  const isOwnerRight = kind === 'spool' ? uid < FIRST_PERSON : uid === 0;
  const isGroupRight = (mode & WRITABLE_FOR_GROUP) === 0 || (kind === 'spool' && gid < FIRST_PERSON);
  if (isOwnerRight && isGroupRight && (mode & WRITABLE_FOR_OTHERS) === 0) return;
  throw conflict(`${shown} must be root's and closed to others for writing: root changes nothing in it.`);
}

async function openAt(path: string, shown: string): Promise<FileHandle> {
  try {
    return await open(path, OPEN_FOLDER);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP' || code === 'ENOTDIR') throw conflict(`${shown} is no folder.`);
    throw error;
  }
}

function entryOf(fd: number, name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
    throw new HostError('Refused', 'The name is not a valid name of a folder entry.', { retryable: false });
  return `/proc/self/fd/${fd}/${name}`;
}

/** Removes the entries of a folder. Subfolders are moved to `aside`. Returns the number of entries. */
async function removeEntries(fd: number, aside: () => string): Promise<number> {
  let count = 0;
  let some: string[] = [];
  const removeSome = async () => {
    await Promise.all(some.map((name) => removeEntry(entryOf(fd, name), aside)));
    some = [];
  };
  for await (const { name } of await opendir(`/proc/self/fd/${fd}`, { bufferSize: AT_ONCE })) {
    count += 1;
    some.push(name);
    if (some.length === AT_ONCE) await removeSome();
  }
  await removeSome();
  return count;
}

async function removeEntry(path: string, aside: () => string): Promise<void> {
  try {
    await ifThere(unlink(path));
  } catch (error) {
    if (!['EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await rename(path, aside());
  }
}
