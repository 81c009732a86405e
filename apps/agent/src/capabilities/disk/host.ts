import type { Owner } from '../../node/owner.ts';
import type { FileSystemQuota } from './disk-quota.ts';

/** What uses disk space: the home with temporary files, and databases by their names. */
export interface StoredThings {
  readonly owner: Owner;
  readonly databases: readonly string[];
}

/** Disk space of homes and of the files of databases. */
export interface Disk {
  /**
   * Bytes by uid. Paths that do not exist count 0 bytes. An account with too many files to count before the timeout is
   * left out. After an abort, all accounts that are not measured yet are left out. Only reads, as a user without write
   * access.
   */
  measure(accounts: readonly StoredThings[], signal?: AbortSignal): Promise<ReadonlyMap<number, number>>;
  /** Bytes of the databases alone, by uid. */
  measureDatabases(accounts: readonly StoredThings[]): Promise<ReadonlyMap<number, number>>;
}

/** How much each user may store on the file system of the homes. */
export type DiskQuota = Pick<FileSystemQuota, 'isEnforced' | 'limitOf' | 'setLimit' | 'stored'>;

/** Accounts whose homes and databases exceed their disk limit. This state survives a restart of the agent. */
export interface FullDisks {
  isFull(owner: Owner): boolean;
  /** Records the account's usage, and returns whether the account became full or is no longer full. */
  note(owner: Owner, bytes: number, limitMb: number): Promise<boolean>;
  /** Removes all accounts except these. */
  keep(uids: ReadonlySet<number>): Promise<void>;
}
