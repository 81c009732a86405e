import type { StaffRole } from '@innkeeper/domain';
import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

/** A change of many accounts that runs in the background, one account after the other. */
export interface BulkChangesTable {
  id: Generated<number>;
  /** What happens to each account: `suspend`, `package-limits`, ... */
  action: string;
  /** What the change concerns: `package:5`, `reseller:7`; empty for accounts that an operator selected. */
  subject: string;
  /** JSON: the input of the action. */
  input: string;
  /** The operator who began it, and in whose name it runs. Null: innctl. */
  user_id: number | null;
  role: StaffRole | 'reseller';
  address: string;
  request_id: string;
  total: number;
  /** Until then one instance of the API works on it. */
  leased_until: NullByDefault<Date>;
  created_at: ColumnType<Date, Date, never>;
  finished_at: NullByDefault<Date>;
  /** Why what should follow (the end of a package or reseller) was left out. */
  left_out: NullByDefault<string>;
}

/** An account of a bulk change. */
export interface BulkChangeAccountsTable {
  bulk_change_id: number;
  account_id: number;
  state: 'waiting' | 'done' | 'refused';
  /** How often an unexpected error prevented the change. */
  failures: Generated<number>;
  /** Why it was refused. */
  message: NullByDefault<string>;
}
