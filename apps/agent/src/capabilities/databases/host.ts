import type { Owner } from '../../node/owner.ts';

/** A database as a spec wants it. */
export interface WantedDatabase {
  readonly name: string;
  readonly password: string;
  readonly passwordRevision: number;
  /** Maximum concurrent connections of each of its users. */
  readonly connections: number;
  /** Its users may read and delete, and do nothing that needs disk space. */
  readonly readOnly: boolean;
}

export interface DatabaseUser {
  /** Host that the user may connect from. */
  readonly host: string;
  readonly locked: boolean;
  /** Password, grants and limits match the spec. */
  readonly right: boolean;
  /** The user has exactly the privileges of a read-only database. */
  readonly readOnly: boolean;
  /** The previous password is still valid, too. */
  readonly takesOld: boolean;
}

export interface DatabaseState {
  readonly name: string;
  /** The uid that the agent created it for; undefined: the agent did not create what exists. */
  readonly claimedBy: number | undefined;
  /** The password revision that was last applied; 0 before the first. */
  readonly passwordRevision: number;
  readonly exists: boolean;
  readonly users: readonly DatabaseUser[];
  /** Connections of its users. */
  readonly sessions: number;
}

/**
 * Databases on the node's MariaDB or MySQL. Each database has users with its own name, one for each host that connects
 * to it. The agent claims everything before it creates it, in a table of its own. A database or a user without a claim
 * is foreign.
 */
export interface Databases {
  observe(owner: Owner, wanted: readonly WantedDatabase[]): Promise<DatabaseState[]>;
  claim(owner: Owner, name: string): Promise<void>;
  create(owner: Owner, name: string): Promise<void>;
  /** Creates or changes the user for one host. `keepOld`: its present password stays valid until `forgetOld`. */
  setUser(
    owner: Owner,
    database: WantedDatabase,
    host: string,
    options: { readonly locked: boolean; readonly keepOld: boolean },
  ): Promise<void>;
  /** The user for one host accepts only the wanted password. */
  forgetOld(owner: Owner, database: WantedDatabase, host: string): Promise<void>;
  /** Databases whose users still accept an old password, as last observed: from memory. */
  withOldPasswords(names: readonly string[]): readonly string[];
  /** Stores the revision. Call it after all users have the password. */
  noteRevision(owner: Owner, name: string, revision: number): Promise<void>;
  /** Removes the user for one host, and its connections. */
  dropUser(owner: Owner, name: string, host: string): Promise<void>;
  /** Closes all connections. */
  endSessions(owner: Owner, name: string): Promise<void>;
  drop(owner: Owner, name: string): Promise<void>;
  /** Removes the claim. Call it when nothing else is left. */
  release(owner: Owner, name: string): Promise<void>;
  /** Returns the uids that databases of these names were created for, without those that the agent did not create. */
  ownersOf(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Shrinks tables with much space of deleted rows: users without write access cannot do that. */
  giveBackRoom(owner: Owner, names: readonly string[]): Promise<void>;
  /**
   * Used bytes of the file system that contains the databases, by all users; undefined where no server is installed.
   */
  usedBytes(): Promise<number | undefined>;
}

/** Limits each account to its share of the database server's connections. */
export interface DatabaseConnections {
  /**
   * The number of connections that all users of the account share, because together they exceeded it a while ago;
   * undefined: only their own limits apply.
   */
  shareOf(owner: Owner): number | undefined;
  /**
   * Checks all connections once. Closes connections beyond an account's share, and connections that do not sign in
   * while the server is nearly full. Returns the uids whose limit to a share has started or ended.
   */
  watch(): Promise<number[]>;
  /** Closes the agent's own connections, which stay open so that the agent is never locked out. */
  close(): void;
}
