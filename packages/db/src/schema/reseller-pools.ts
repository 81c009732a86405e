import type { PoolSizes } from '@innkeeper/domain';

/**
 * The limits that a reseller may give to its accounts in total. Null: not pooled. IO, IOPS and processes are always
 * summed over the accounts; disk, CPU, RAM and bandwidth only if `overselling` is 0.
 */
export interface ResellerPoolsTable extends PoolSizes {
  reseller_user_id: number;
  overselling: number;
}
