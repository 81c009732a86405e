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

/** The entries of the account databases for an account's name, its uid, or its gid. */
export interface AccountEntries {
  passwd: readonly PasswdEntry[];
  groups: readonly GroupEntry[];
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
