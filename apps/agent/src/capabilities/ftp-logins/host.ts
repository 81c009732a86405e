import type { Owner } from '../../node/owner.ts';

/** What servers read of the logins of an account: the folder of each, and its keys if it has any. */
export interface LoginFiles {
  /** A line for each login; undefined if the file is missing, or servers would not accept it. */
  readonly folders: string | undefined;
  /** Text by login. Undefined: servers would not accept the file. */
  readonly keys: ReadonlyMap<string, string | undefined>;
}

/** Additional FTP and SFTP logins, beside their users in the account database. */
export interface FtpLogins {
  /** Undefined: the account has no file and no folder of them. */
  read(owner: Owner): Promise<LoginFiles | undefined>;
  /** Replaces all files of the account. */
  write(owner: Owner, folders: string, keys: ReadonlyMap<string, string>): Promise<void>;
  /** Removes all files of the account. The server of logins stops if no account has any. */
  remove(owner: Owner): Promise<void>;
  /** Ends the sessions of these logins, and forgets what else the server remembers of them. */
  endSessions(owner: Owner, names: readonly string[]): Promise<void>;
  /** Whether the FTP server runs. */
  isServed(): Promise<boolean>;
  /** Starts the FTP server. */
  serve(): Promise<void>;
}
