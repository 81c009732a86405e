import type { AllocatedFromPool, ResellerPoolRow } from '@innkeeper/db';

/** What can be pooled, in the order in which it is shown. */
export const poolFields = [
  'max_accounts',
  'disk_mb',
  'bandwidth_mb',
  'cpu_percent',
  'ram_mb',
  'io_read_mbps',
  'io_write_mbps',
  'iops',
  'max_processes',
] as const;
export type PoolField = (typeof poolFields)[number];

/** Null: not pooled. Sizes in MiB, rates in MiB/s, CPU in percent of one core. */
export type PoolSizes = Record<PoolField, number | null>;

export interface PoolView extends PoolSizes {
  reseller: { id: number; username: string };
  /** Disk, bandwidth, CPU and RAM may be promised more often than they are there. Never the others. */
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
