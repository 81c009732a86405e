import type { ColumnType, Generated } from 'kysely';

/** Counted against the account's limit. */
export interface DatabasesTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}
