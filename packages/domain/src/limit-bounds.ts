import type { AccountLimits } from './limits.ts';

/**
 * The least and the most of every limit of an account and of a package, both inclusive. The minima are the
 * API's; the maxima are what an agent's own schema still takes, so that nothing that is accepted here is
 * refused on the node.
 */
export const limitBounds = {
  disk_limit_mb: { min: 100, max: 1_000_000_000 },
  bandwidth_limit_mb: { min: 100, max: 2_000_000_000 },
  cpu_limit_percent: { min: 1, max: 10_000 },
  ram_limit_mb: { min: 128, max: 100_000_000 },
  io_read_mbps: { min: 5, max: 1_000_000 },
  io_write_mbps: { min: 5, max: 1_000_000 },
  iops: { min: 100, max: 100_000_000 },
  max_processes: { min: 20, max: 4_000_000 },
  max_domains: { min: 1, max: 1_000_000 },
  max_databases: { min: 0, max: 1_000_000 },
  max_apps: { min: 0, max: 1_000_000 },
  max_cron_jobs: { min: 0, max: 1_000_000 },
} as const satisfies Record<keyof AccountLimits, { min: number; max: number }>;
