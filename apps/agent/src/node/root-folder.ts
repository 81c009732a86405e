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
 * Everything that root changes in folders where accounts have entries: /home, instances of /tmp, spools of cron and
 * mail. It goes from / to the folder step by step, by handles, and refuses a folder that anybody but root could change:
 * nobody can exchange a part of the path, before or after the check. What is done then is done to an entry of that very
 * folder (`/proc/self/fd/N/name`, because Node has no openat), and no call follows an entry that is a link. What lies
 * deeper is the accounts' own, and is changed by children that act as the account.
 *
 * `scripts/check-imports.ts` names the modules that may change files in another way, each with its reason.
 */
const OPEN_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Users and groups below belong to the system: no account has their rights. */
const FIRST_PERSON = 1_000;
const WRITABLE_FOR_GROUP = 0o020;
const WRITABLE_FOR_OTHERS = 0o002;
/** In a folder that has one: what is to be removed, below names that begin with a uid and `-`. */
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
   * Works in a folder and closes it. Undefined where there is no folder. Throws HostError `Conflict` when somebody else
   * may write to the folder or to one above it.
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

  /** What stands at the name itself; undefined where nothing does. */
  async entry(name: string): Promise<Stats | undefined> {
    return await ifThere(lstat(this.#at(name)));
  }

  async makeFolder(name: string, mode: number): Promise<void> {
    await mkdir(this.#at(name), { mode });
  }

  /** Sets owner, group and mode of a folder, if `isRight` says that it is the one. Throws `Conflict` otherwise. */
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

  /** Within this folder. What the new name had is replaced as rename(2) does it. */
  async rename(name: string, newName: string): Promise<void> {
    await rename(this.#at(name), this.#at(newName));
  }

  /** Whether there was something to remove. Throws for a folder. */
  async unlink(name: string): Promise<boolean> {
    return (await ifThere(unlink(this.#at(name)).then(() => true))) ?? false;
  }

  /** Whether nothing is there any more. False for a folder with something in it. */
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

  /** Puts an entry where only root goes, under a name that begins with the uid. It is removed by `emptyTrash`. */
  async trash(name: string, uid: number): Promise<void> {
    await this.#makeTrash();
    await this.#inTrash(async (trash) => {
      await rename(this.#at(name), trash.#at(`${uid}-${Date.now()}`));
    });
  }

  /**
   * Removes what the trash has under the uid. Throws HostError when something stays, a mount for instance.
   *
   * Folders in it may be others', who may have them open and may write to them. So each is made root's own first, and the
   * folders in it are moved into the trash itself and removed in their turn: nobody can add to a folder that is being
   * emptied, and no depth is too great.
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

/** Paths of what the trash of a folder has under the uid. Only reads. */
export async function trashOf(folder: string, uid: number): Promise<string[]> {
  const trash = join(folder, TRASH);
  const names = await listIfThere(trash);
  return names.filter((name) => name.startsWith(`${uid}-`)).map((name) => join(trash, name));
}

/**
 * From / to a folder by handles, each folder looked at before the next is opened in it. A link in such a folder is
 * root's (`/home` on another disk): it is read and walked in the same way.
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

/** Undefined for what is no link. */
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

/** Removes what a folder has; folders in it are moved aside. Gives how many entries there were. */
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
