import type { ColumnType, Generated } from 'kysely';

/** One row for each committed write, in the same transaction. Never contains a secret. */
export interface AuditLogTable {
  id: Generated<number>;
  at: ColumnType<Date, Date, never>;
  request_id: string;
  /** Null: innctl, or the system itself. */
  user_id: number | null;
  /** The customer that the operator `user_id` was logged in as. */
  as_user_id: number | null;
  token_id: number | null;
  /** The client's address, or `innctl`. */
  address: string;
  /** `account.create`, `domain.delete`, ... */
  action: string;
  account_id: number | null;
  /** Target of the action: `account:12`. */
  target: string;
  /** JSON object. */
  details: string;
}
