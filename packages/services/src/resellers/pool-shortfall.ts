import type { AllocatedFromPool } from '@innkeeper/db';
import { type PoolField, type PoolSizes, poolFields } from './pool-view.ts';

const unlimitedOf = {
  io_read_mbps: 'unlimited_io_read',
  io_write_mbps: 'unlimited_io_write',
  iops: 'unlimited_iops',
  max_processes: 'unlimited_processes',
} as const satisfies Partial<Record<PoolField, keyof AllocatedFromPool>>;

const oversold: readonly PoolField[] = ['disk_mb', 'bandwidth_mb', 'cpu_percent', 'ram_mb'];

/**
 * Why a pool of these sizes cannot hold what is handed out of it, by field; empty when it can. With
 * overselling disk, bandwidth, CPU and RAM hold any sum.
 */
export function poolShortfalls(
  sizes: PoolSizes,
  overselling: boolean,
  allocated: AllocatedFromPool,
): { field: PoolField; sentence: string }[] {
  return poolFields.flatMap((field) => {
    const size = sizes[field];
    if (size === null || (overselling && oversold.includes(field))) return [];
    const sentence = shortfall(field, size, allocated);
    return sentence === undefined ? [] : [{ field, sentence }];
  });
}

function shortfall(field: PoolField, size: number, allocated: AllocatedFromPool): string | undefined {
  const name = `The ${field.replaceAll('_', ' ')} field`;
  const unlimited = field in unlimitedOf ? allocated[unlimitedOf[field as keyof typeof unlimitedOf]] : 0;
  if (unlimited > 0)
    return `${name} cannot be ${size}: ${unlimited} of the reseller's accounts ${unlimited === 1 ? 'has' : 'have'} no limit. Give them one first.`;
  const taken = field === 'max_accounts' ? allocated.accounts : allocated[field];
  return taken > size
    ? `${name} cannot be ${size}: ${taken} is handed out to the reseller's accounts already.`
    : undefined;
}
