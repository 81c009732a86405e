import type { Owner } from '../../node/owner.ts';

export interface HomeState {
  /** `foreign`: the path is something other than a folder of this uid. */
  readonly kind: 'missing' | 'ours' | 'foreign';
  /** Whether owner group and mode are right. */
  readonly accessRight: boolean;
  /** Root-owned folders that an interrupted removal or creation left. */
  readonly leftovers: readonly string[];
}

/** /home/<name>. Everything below it is touched only by child processes that dropped to the account's uid. */
export interface Homes {
  observe(owner: Owner): Promise<HomeState>;
  create(owner: Owner): Promise<void>;
  repairAccess(owner: Owner): Promise<void>;
  /** Returns the relative paths that do not exist. */
  missing(owner: Owner, paths: readonly string[]): Promise<string[]>;
  createFolders(owner: Owner, paths: readonly string[], mode: '0700' | '0755'): Promise<void>;
  /** Creates a document root with the welcome page in it, atomically. Does nothing if the path exists. */
  createDocumentRoot(owner: Owner, path: string): Promise<void>;
  /** Removes the home and all leftovers. No process of the uid may be alive. */
  remove(owner: Owner): Promise<void>;
}
