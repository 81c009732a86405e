import type { FieldErrors } from './domain-error.ts';
import type { ResourceLimits } from './limits.ts';
import { words } from './record-sentences.ts';

/** What a reseller may hand out in all. Null: not pooled. */
export interface ResellerPool {
  /** Disk, bandwidth, CPU and RAM may be promised more often than they are there. Never the others. */
  overselling: boolean;
  disk_mb: number | null;
  bandwidth_mb: number | null;
  cpu_percent: number | null;
  ram_mb: number | null;
  io_read_mbps: number | null;
  io_write_mbps: number | null;
  iops: number | null;
  max_processes: number | null;
}

/** What the reseller's accounts hold in all, and how many of them are unlimited in what can be. */
export interface PoolAllocation {
  disk_mb: number;
  bandwidth_mb: number;
  cpu_percent: number;
  ram_mb: number;
  io_read_mbps: number;
  io_write_mbps: number;
  iops: number;
  max_processes: number;
  unlimited_io_read: number;
  unlimited_io_write: number;
  unlimited_iops: number;
  unlimited_processes: number;
}

interface Share {
  limit: keyof ResourceLimits;
  pool: Exclude<keyof ResellerPool, 'overselling'>;
  /** Null for what every account has a limit of; those follow the overselling setting. */
  unlimited: keyof PoolAllocation | null;
}

const shares: readonly Share[] = [
  { limit: 'disk_limit_mb', pool: 'disk_mb', unlimited: null },
  { limit: 'bandwidth_limit_mb', pool: 'bandwidth_mb', unlimited: null },
  { limit: 'cpu_limit_percent', pool: 'cpu_percent', unlimited: null },
  { limit: 'ram_limit_mb', pool: 'ram_mb', unlimited: null },
  { limit: 'io_read_mbps', pool: 'io_read_mbps', unlimited: 'unlimited_io_read' },
  { limit: 'io_write_mbps', pool: 'io_write_mbps', unlimited: 'unlimited_io_write' },
  { limit: 'iops', pool: 'iops', unlimited: 'unlimited_iops' },
  { limit: 'max_processes', pool: 'max_processes', unlimited: 'unlimited_processes' },
];

/**
 * What a pool refuses of the limits that an account shall have, by field; empty when all of it is left.
 * `allocated` counts every account of the reseller, the changed one with its `current` limits included;
 * leave `current` out for a new account. A pool refuses growth only: what an account already has it may
 * keep or lower, also where an operator made the pool smaller than what is handed out.
 */
export function poolRefusals(
  pool: ResellerPool,
  allocated: PoolAllocation,
  wanted: ResourceLimits,
  current?: ResourceLimits,
): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const share of shares) {
    const size = pool[share.pool];
    if (size === null || (share.unlimited === null && pool.overselling)) continue;
    const sentence = refusal(share, size, allocated, wanted[share.limit], current?.[share.limit]);
    if (sentence !== undefined) errors[share.limit] = [sentence];
  }
  return errors;
}

/** `has`: undefined for a new account, null for unlimited. */
function refusal(
  share: Share,
  size: number,
  allocated: PoolAllocation,
  wants: number | null,
  has: number | null | undefined,
): string | undefined {
  if (has === null || (has !== undefined && wants !== null && wants <= has)) return undefined;
  const name = `The ${words(share.limit)} field`;
  if (wants === null) return `${name} cannot be unlimited: the reseller pool holds ${size}.`;
  if (share.unlimited !== null && allocated[share.unlimited] > 0)
    return `${name} cannot be taken from the reseller pool while another account is unlimited.`;
  const left = Math.max(0, size - (allocated[share.pool] - (has ?? 0)));
  return wants > left ? `${name} exceeds what is left of the reseller pool (${left}).` : undefined;
}
