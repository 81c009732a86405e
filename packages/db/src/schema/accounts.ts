import type { AccountLimits, AccountState } from '@innkeeper/domain';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

/** The names of removed accounts, for the audit log. Deleted with its entries. */
export interface FormerAccountsTable {
  /** The id that the account had. */
  id: number;
  username: string;
  /** The end user that it had. 0: not known. */
  user_id: number;
  removed_at: Date;
}

/**
 * The desired state of every account. Also the outbox: a node pulls the rows whose `generation` is newer than their
 * `observed_generation`.
 */
export interface AccountsTable extends AccountLimits {
  id: Generated<number>;
  username: string;
  /** Contact name. */
  name: string;
  email: string;
  /** The reseller that manages it. Null: the admin. */
  reseller_user_id: number | null;
  /** The panel login of its end user. */
  user_id: number;
  package_id: number;
  node_id: number;
  /** Derives from the id, so it is null only inside the transaction that creates the row. */
  uid: number | null;
  linux_user: string;
  /** Random, per creation of the account. Nodes use it to distinguish creations with the same name. */
  creation_id: Generated<string>;
  state: AccountState;
  /** 1: it was suspended together with its reseller, so it comes back with it. */
  suspended_with_reseller: Generated<number>;
  /** Written by an operator, for operators. Null: not suspended, or no reason was given. */
  suspension_reason: NullByDefault<string>;
  terminal_access: ColumnType<number, number | boolean, number | boolean>;
  /** crypt(3) hash for the Linux user. */
  linux_password_hash: string;
  generation: number;
  observed_generation: number;
  /** 1 while `generation` is newer than `observed_generation`; the database computes it. */
  pending: GeneratedAlways<number>;
  /** Outcome of the newest report; null before the first. */
  outcome: 'applied' | 'failed' | 'progressing' | 'absent' | null;
  /** JSON array of conditions of the newest report. */
  conditions: string;
  observed_at: Date | null;
  /** When the first failed outcome in a row was reported. */
  failing_since: NullByDefault<Date>;
  /** When the node looks again at an account that has failed. */
  next_pass_at: NullByDefault<Date>;
  /** When the node first reported the account applied. Null: never. */
  first_applied_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}
