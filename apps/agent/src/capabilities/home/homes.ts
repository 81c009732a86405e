import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { AccountChild } from '../../node/account-child.ts';
import type { Changes } from '../../node/changes.ts';
import type { Exec } from '../../node/exec.ts';
import { FilesAsUser } from '../../node/files-as-user.ts';
import { conflict, HostError } from '../../node/host-error.ts';
import { statIfThere } from '../../node/if-there.ts';
import type { ObserveAsUsers } from '../../node/observe-as-users.ts';
import type { Owner } from '../../node/owner.ts';
import { RootFolder, trashOf } from '../../node/root-folder.ts';
import { left, type Trace, type Traced } from '../../node/trace.ts';
import type { HomeState, Homes } from './host.ts';

/**
 * /home/<name>: owned by the account, group of the web server, mode 0750. Root touches only entries of /home itself, as
 * RootFolder does. Everything below is done by FilesAsUser.
 *
 * A new home is created under a temporary root-owned name and renamed when it is complete. A removal empties the home
 * as the user. Files that the user cannot remove (files of others) go into the trash of /home.
 */
export const HOME_MODE = 0o750;
/** Folders that every home has, owned by the account. */
const MARKS = ['domains', 'logs', '.php'];

export class HomeFolders implements Homes, Traced {
  readonly #changes: Changes;
  readonly #webGroup: number;
  readonly #files: FilesAsUser;
  readonly #base: string;

  constructor(
    exec: Exec,
    observe: ObserveAsUsers,
    changes: Changes,
    webGroup: number,
    welcomePage: string,
    base = '/home',
  ) {
    this.#changes = changes;
    this.#webGroup = webGroup;
    this.#base = base;
    this.#files = new FilesAsUser(new AccountChild(exec), observe, welcomePage);
  }

  async observe(owner: Owner): Promise<HomeState> {
    const [entry, made, trash] = await Promise.all([
      statIfThere(this.#home(owner)),
      statIfThere(join(this.#base, freshName(owner))),
      trashOf(this.#base, owner.uid),
    ]);
    const leftovers = [...(made === undefined ? [] : [join(this.#base, freshName(owner))]), ...trash];
    if (entry === undefined) return { kind: 'missing', accessRight: false, leftovers };
    const isOurs =
      entry.isDirectory() && (entry.uid === owner.uid || (await this.#isTakenByRoot(owner, entry)));
    const accessRight =
      entry.uid === owner.uid && entry.gid === this.#webGroup && (entry.mode & 0o7777) === HOME_MODE;
    return { kind: isOurs ? 'ours' : 'foreign', accessRight, leftovers };
  }

  async create(owner: Owner): Promise<void> {
    const fresh = freshName(owner);
    await this.#inBase(async (base) => {
      if ((await base.entry(owner.name)) !== undefined)
        throw conflict(`${this.#home(owner)} exists already.`);
      if ((await base.entry(fresh)) === undefined) await base.makeFolder(fresh, 0o700);
      const isRight = ({ uid }: Stats) => uid === 0 || uid === owner.uid;
      await base.giveFolder(fresh, this.#access(owner), isRight);
      this.#changes.record();
      await base.rename(fresh, owner.name);
      this.#changes.record();
    });
  }

  async repairAccess(owner: Owner): Promise<void> {
    const entry = await statIfThere(this.#home(owner));
    const isTaken = entry !== undefined && (await this.#isTakenByRoot(owner, entry));
    const isRight = ({ uid }: Stats) => uid === owner.uid || (isTaken && uid === 0);
    await this.#inBase((base) => base.giveFolder(owner.name, this.#access(owner), isRight));
    this.#changes.record();
  }

  async missing(owner: Owner, paths: readonly string[]): Promise<string[]> {
    return this.#files.missing(owner.uid, this.#home(owner), paths);
  }

  async createFolders(owner: Owner, paths: readonly string[], mode: '0700' | '0755'): Promise<void> {
    await this.#files.createFolders(owner.uid, this.#home(owner), paths, mode);
  }

  async createDocumentRoot(owner: Owner, path: string): Promise<void> {
    await this.#files.createDocumentRoot(owner.uid, this.#home(owner), path);
  }

  async remove(owner: Owner): Promise<void> {
    const home = this.#home(owner);
    if ((await this.observe(owner)).kind === 'ours') {
      await this.repairAccess(owner);
      await this.#files.empty(owner.uid, home);
    }
    await this.#inBase(async (base) => {
      const entry = await base.entry(owner.name);
      if (entry?.isDirectory() === true && entry.uid === owner.uid && !(await base.removeEmpty(owner.name)))
        await base.trash(owner.name, owner.uid);
      await base.removeEmpty(freshName(owner));
      await base.emptyTrash(owner.uid);
      this.#changes.record();
    });
  }

  /**
   * Returns whether the home belongs to root now, for instance by an administrator's mistake. Its folders prove that it
   * is the account's: only root can have put them there, because others cannot write to the home.
   */
  async #isTakenByRoot(owner: Owner, { uid, mode }: Stats): Promise<boolean> {
    if (uid !== 0 || (mode & 0o022) !== 0) return false;
    const marks = await Promise.all(MARKS.map((name) => statIfThere(join(this.#home(owner), name))));
    return marks.some((mark) => mark?.isDirectory() === true && mark.uid === owner.uid);
  }

  async #inBase<T>(work: (base: RootFolder) => Promise<T>): Promise<T> {
    let done: { result: T } | undefined;
    await RootFolder.within(this.#base, async (base) => {
      done = { result: await work(base) };
    });
    if (done === undefined) throw new HostError('Failed', `${this.#base} is missing.`);
    return done.result;
  }

  #access({ uid }: Owner) {
    return { uid, gid: this.#webGroup, mode: HOME_MODE };
  }

  #home(owner: Owner): string {
    return join(this.#base, owner.name);
  }

  async traces(owner: Owner): Promise<Trace[]> {
    const { kind, leftovers } = await this.observe(owner);
    const home = kind === 'ours' ? [left('home', owner.name)] : [];
    return [...home, ...leftovers.map((path) => left('home', path))];
  }
}

function freshName({ uid }: Owner): string {
  return `.innkeeper-new-${uid}`;
}
