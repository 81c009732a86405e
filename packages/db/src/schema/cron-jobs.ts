import type { ColumnType, Generated } from 'kysely';

/** Counted against the account's limit. */
export interface CronJobsTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  /** Five fields, or a name such as `@hourly`. */
  schedule: string;
  command: string;
  enabled: ColumnType<number, number | boolean, number | boolean>;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}
