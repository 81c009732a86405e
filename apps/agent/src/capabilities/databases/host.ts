import type { Owner } from '../../node/owner.ts';

/** A database as a spec wants it. */
export interface WantedDatabase {
  readonly name: string;
  readonly password: string;
  readonly passwordRevision: number;
  /** How many connections each of its users may have at a time. */
  readonly connections: number;
  /** Its users may read and remove, and nothing that takes room. */
  readonly readOnly: boolean;
}

export interface DatabaseUser {
  /** Where it may connect from. */
  readonly host: string;
  readonly locked: boolean;
  /** Password, grants and limits are the wanted ones. */
  readonly right: boolean;
  /** It holds exactly the rights of a database that is read-only. */
  readonly readOnly: boolean;
  /** The password before the last one is taken as well. */
  readonly takesOld: boolean;
}

export interface DatabaseState {
  readonly name: string;
  /** The uid that the agent made it for; undefined: the agent did not make what there is. */
  readonly claimedBy: number | undefined;
  /** The password revision that was made true last; 0 before the first. */
  readonly passwordRevision: number;
  readonly exists: boolean;
  readonly users: readonly DatabaseUser[];
  /** Connections of its users. */
  readonly sessions: number;
}

/**
 * Databases on the node's MariaDB or MySQL, each with users of its own name, one for each place that it is
 * used from. What the agent makes is claimed first, in a table of its own: without a claim, a database or
 * a user is somebody else's.
 */
export interface Databases {
  observe(owner: Owner, wanted: readonly WantedDatabase[]): Promise<DatabaseState[]>;
  claim(owner: Owner, name: string): Promise<void>;
  create(owner: Owner, name: string): Promise<void>;
  /** Makes or changes the user for one place. `keepOld`: the password that it had is taken as well, until `forgetOld`. */
  setUser(
    owner: Owner,
    database: WantedDatabase,
    host: string,
    options: { readonly locked: boolean; readonly keepOld: boolean },
  ): Promise<void>;
  /** The user for one place takes the wanted password alone. */
  forgetOld(owner: Owner, database: WantedDatabase, host: string): Promise<void>;
  /** Databases whose users take an old password too, as last observed: from memory. */
  withOldPasswords(names: readonly string[]): readonly string[];
  /** Once all users have it. */
  noteRevision(owner: Owner, name: string, revision: number): Promise<void>;
  /** The user for one place, and its connections. */
  dropUser(owner: Owner, name: string, host: string): Promise<void>;
  /** Ends all connections. */
  endSessions(owner: Owner, name: string): Promise<void>;
  drop(owner: Owner, name: string): Promise<void>;
  /** Once nothing is left. */
  release(owner: Owner, name: string): Promise<void>;
  /** The uids that databases of these names were made for; those that the agent did not make are left out. */
  ownersOf(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Makes tables smaller that hold much room of removed rows: who may not write cannot do that. */
  giveBackRoom(owner: Owner, names: readonly string[]): Promise<void>;
  /** Bytes of the file system that databases are on, used by anybody; undefined where no server is installed. */
  usedBytes(): Promise<number | undefined>;
}

/** Holds each account to its share of the connections that the database server takes. */
export interface DatabaseConnections {
  /** What all users of the account share, because together they took more a while ago; undefined: nothing but their own limits. */
  shareOf(owner: Owner): number | undefined;
  /**
   * Looks at all connections once, and ends those that an account has beyond its share, and those that do not sign in
   * while the server is nearly full. Gives the uids whose share has come or gone.
   */
  watch(): Promise<number[]>;
  /** Ends the agent's own connections that it keeps open to be never locked out. */
  close(): void;
}
