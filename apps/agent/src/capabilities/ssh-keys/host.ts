import type { Owner } from '../../node/owner.ts';

/** The public keys of the panel that sshd accepts for an account, beside those that its owner has in the home. */
export interface SshKeys {
  /** The text of the account's file. Undefined: it does not exist, or sshd would not accept it. */
  read(owner: Owner): Promise<string | undefined>;
  write(owner: Owner, text: string): Promise<void>;
  remove(owner: Owner): Promise<void>;
  /** Whether the account has a file or its folder. */
  hasAny(owner: Owner): Promise<boolean>;
}
