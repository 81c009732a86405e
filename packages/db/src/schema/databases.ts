import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

type DatabaseStatus = 'pending' | 'active' | 'suspended' | 'failed';

/** Counted against the account's limit. */
export interface DatabasesTable {
  id: Generated<number>;
  account_id: number;
  /** Display label. */
  name: string;
  /** Of the database and of its user on the node. */
  db_name: string;
  sealed_password: string;
  /** Raised with every new password. */
  password_revision: ColumnType<number, number | undefined, number>;
  /** `removing` is a tombstone: the node has to drop it before the row goes. */
  state: ColumnType<'active' | 'removing', 'active' | 'removing' | undefined, 'active' | 'removing'>;
  /** What the node last said. */
  status: ColumnType<DatabaseStatus, DatabaseStatus | undefined, DatabaseStatus>;
  status_reason: NullByDefault<string>;
  /** The app that it was made for and goes with. */
  app_id: NullByDefault<number>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}

/** Addresses from which a database may be used, in canonical form. */
export interface DatabaseAllowedIpsTable {
  id: Generated<number>;
  account_id: number;
  database_id: number;
  ip: string;
  created_at: ColumnType<Date, Date, never>;
}
