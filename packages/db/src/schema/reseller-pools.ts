import type { PoolSizes } from '@innkeeper/domain';

/**
 * What a reseller may hand out in all; null: not pooled. IO, IOPS and processes are always summed over
 * the accounts; disk, CPU, RAM and bandwidth only when `overselling` is 0.
 */
export interface ResellerPoolsTable extends PoolSizes {
  reseller_user_id: number;
  overselling: number;
}
