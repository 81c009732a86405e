import type { ColumnType, Generated } from 'kysely';

/** Counted against the account's limit. */
export interface AppsTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  template_key: string;
  status: string;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}
