import type { ResellerPoolRow } from '@innkeeper/db';
import { type AllocatedFromPool, type PoolSizes, poolFields } from '@innkeeper/domain';

export interface PoolView extends PoolSizes {
  reseller: { id: number; username: string };
  /**
   * Whether the accounts can get more disk, bandwidth, CPU and memory than the pool has. Other limits are never
   * oversold.
   */
  overselling: boolean;
  allocated: AllocatedFromPool;
}

export function poolSizes(row: ResellerPoolRow | undefined): PoolSizes {
  const sizes = poolFields.map((field) => [field, row?.[field] ?? null] as const);
  return Object.fromEntries(sizes) as PoolSizes;
}

export function poolView(
  reseller: { id: number; username: string },
  row: ResellerPoolRow | undefined,
  allocated: AllocatedFromPool,
): PoolView {
  const { id, username } = reseller;
  return { reseller: { id, username }, overselling: row?.overselling === 1, ...poolSizes(row), allocated };
}
