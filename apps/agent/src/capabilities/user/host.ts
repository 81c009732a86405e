import type { Owner } from '../../node/owner.ts';

export interface PasswdEntry {
  name: string;
  uid: number;
  gid: number;
  comment: string;
  home: string;
  shell: string;
}

export interface GroupEntry {
  name: string;
  gid: number;
  members: readonly string[];
}

export interface ShadowEntry {
  name: string;
  password: string;
  /** Days since 1970; `''` means never. */
  expires: string;
}

/** By this group sshd knows additional logins of accounts. */
export const LOGINS_GROUP = 'innkeeper-ftp';
/** Where servers find the folder of a login, which PAM has mounted there for the session. */
export const LOGIN_HOME = '/var/lib/innkeeper/jail/files';
/** Not nologin: sshd refuses sessions of accounts with that shell. Nothing runs it. */
export const LOGIN_SHELL = '/bin/false';
export const loginCommentOf = (accountId: number) => `FTP login of hosting account ${accountId}`;

/** An additional login of an account: a user with the account's uid (`ftp-logins`). */
export interface LoginEntry {
  name: string;
  comment: string;
  shell: string;
  /** The field of shadow; undefined without an entry there. */
  password: string | undefined;
  expires: string | undefined;
  /** Whether it is a member of the group by which servers know logins. */
  isMember: boolean;
}

/** The entries of the account databases for an account's name, its uid, or its gid. */
export interface AccountEntries {
  passwd: readonly PasswdEntry[];
  groups: readonly GroupEntry[];
  /** The account's own additional logins, which `passwd` does not have. */
  logins: readonly LoginEntry[];
  /** Groups that list the name as a member. */
  memberOf: readonly string[];
  shadow: ShadowEntry | undefined;
  hasGroupShadow: boolean;
  /** A name service other than the files knows the name or the uid (LDAP, a dynamic user). */
  elsewhere: boolean;
}

export type AccountEdit =
  /** User and group with the uid. An existing user keeps its shell; a new one cannot log in. */
  | { readonly kind: 'put'; readonly owner: Owner; readonly accountId: number }
  | {
      readonly kind: 'set-login';
      readonly owner: Owner;
      readonly accountId: number;
      readonly shell: string;
      readonly password: string;
      readonly expires: string;
    }
  /** Additional logins, after the account's own user. `password`: a field of shadow. */
  | {
      readonly kind: 'put-logins';
      readonly owner: Owner;
      readonly accountId: number;
      readonly logins: readonly { readonly name: string; readonly password: string }[];
    }
  | {
      readonly kind: 'remove-logins';
      readonly owner: Owner;
      readonly accountId: number;
      readonly names: readonly string[];
    }
  /** With its additional logins. */
  | { readonly kind: 'remove'; readonly owner: Owner; readonly accountId: number };

/** /etc/passwd, shadow, group and gshadow. */
export interface AccountDatabase {
  find(owner: Owner): Promise<AccountEntries>;
  /**
   * Returns why the user of this name and uid does not belong to the account, although neither belongs to anybody else:
   * it lacks the account's mark. Undefined where the user does not exist, or has the mark.
   */
  findStranger(owner: Owner, accountId: number): Promise<string | undefined>;
  /** Edits of concurrent callers share one rewrite. A Conflict fails only its own edit. */
  edit(edit: AccountEdit): Promise<void>;
}
