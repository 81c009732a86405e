import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

type DatabaseStatus = 'pending' | 'active' | 'suspended' | 'failed';

/** Counted against the account's limit. */
export interface DatabasesTable {
  id: Generated<number>;
  account_id: number;
  /** Display label. */
  name: string;
  /** Name of the database and of its user on the node. */
  db_name: string;
  sealed_password: string;
  /** Raised with every new password. */
  password_revision: ColumnType<number, number | undefined, number>;
  /** `removing` is a tombstone: the row is deleted after the node has dropped the database. */
  state: ColumnType<'active' | 'removing', 'active' | 'removing' | undefined, 'active' | 'removing'>;
  /** Status of the node's last report. */
  status: ColumnType<DatabaseStatus, DatabaseStatus | undefined, DatabaseStatus>;
  status_reason: NullByDefault<string>;
  /** The app that owns the database. Both are removed together. */
  app_id: NullByDefault<number>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/** Addresses that may connect to a database remotely, in canonical form. */
export interface DatabaseAllowedIpsTable {
  id: Generated<number>;
  account_id: number;
  database_id: number;
  ip: string;
  created_at: ColumnType<Date, Date, never>;
}
