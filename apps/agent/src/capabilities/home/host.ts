import type { Owner } from '../../node/owner.ts';

export interface HomeState {
  /** `foreign`: something else than a folder of this uid is at the path. */
  readonly kind: 'missing' | 'ours' | 'foreign';
  /** Whether owner group and mode are right. */
  readonly accessRight: boolean;
  /** Folders that an interrupted removal or creation left in root's hands. */
  readonly leftovers: readonly string[];
}

/** /home/<name>. Whatever is below it is touched by children that dropped to the account's uid only. */
export interface Homes {
  observe(owner: Owner): Promise<HomeState>;
  create(owner: Owner): Promise<void>;
  repairAccess(owner: Owner): Promise<void>;
  /** Which of the relative paths do not exist. */
  missing(owner: Owner, paths: readonly string[]): Promise<string[]>;
  createFolders(owner: Owner, paths: readonly string[], mode: '0700' | '0755'): Promise<void>;
  /** A new document root with the welcome page in it, at once. Left alone if something is there. */
  createDocumentRoot(owner: Owner, path: string): Promise<void>;
  /** The home and all leftovers. No process of the uid may live. */
  remove(owner: Owner): Promise<void>;
}
