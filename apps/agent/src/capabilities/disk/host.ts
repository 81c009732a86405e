import type { Owner } from '../../node/owner.ts';

/** What takes up room: the home with temporary files, and databases by their names. */
export interface StoredThings {
  readonly owner: Owner;
  readonly databases: readonly string[];
}

/** Room on the disk, of what lies in homes and of the files of databases. */
export interface Disk {
  /**
   * Bytes by uid. What is not there takes none; an account whose files are too many to be counted in time is left
   * out, and after an abort all that are not known yet. Only reads, as a user who may write nowhere.
   */
  measure(accounts: readonly StoredThings[], signal?: AbortSignal): Promise<ReadonlyMap<number, number>>;
  /** Bytes of the databases alone, by uid. */
  measureDatabases(
    accounts: readonly StoredThings[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, number>>;
}

/** What the file system of the homes lets each user store there. Concurrent calls share one program. */
export interface DiskQuota {
  /** Whether it holds users to limits; found out once. */
  isEnforced(): Promise<boolean>;
  /** Bytes; undefined where the user has no limit. */
  limitOf(owner: Owner): Promise<number | undefined>;
  /** `bytes` undefined: no limit any more. What is stored already stays, whatever the limit. */
  setLimit(owner: Owner, bytes: number | undefined): Promise<void>;
  /** Bytes by uid, as they count towards limits, some seconds old at most; undefined where they are not counted. */
  stored(): Promise<ReadonlyMap<number, number> | undefined>;
}

/** Accounts whose homes and databases take more than they may. It outlives the agent. */
export interface FullDisks {
  isFull(owner: Owner): boolean;
  /** Says what an account takes, and gives whether that made it full or ended that. */
  note(owner: Owner, bytes: number, limitMb: number): Promise<boolean>;
  /** Forgets all accounts but these. */
  keep(uids: ReadonlySet<number>): Promise<void>;
}
