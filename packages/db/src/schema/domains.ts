import type { ColumnType, Generated } from 'kysely';

export interface DomainsTable {
  id: Generated<number>;
  account_id: number;
  /** Unique in the whole fleet until the row is gone. */
  domain_name: string;
  is_primary: ColumnType<number, number | boolean, number | boolean>;
  /** `removing` is a tombstone: the node has to take the name away before the row goes. */
  state: 'active' | 'removing';
  /** What the node last said: pending, active, suspended, failed. */
  status: string;
  status_reason: string | null;
  created_at: ColumnType<Date, Date, never>;
  updated_at: ColumnType<Date, Date, Date>;
}
