/**
 * The limits of one account. Sizes in MiB, rates in MiB/s, CPU in percent of one core
 * (200 = two cores). `null` means unlimited.
 */
export interface ResourceLimits {
  disk_limit_mb: number;
  bandwidth_limit_mb: number;
  cpu_limit_percent: number;
  ram_limit_mb: number;
  io_read_mbps: number | null;
  io_write_mbps: number | null;
  iops: number | null;
  max_processes: number | null;
}

/** How many of each thing an account may have. */
export interface CountLimits {
  max_domains: number;
  max_databases: number;
  max_apps: number;
  max_cron_jobs: number;
}

export type AccountLimits = ResourceLimits & CountLimits;

/** Domains of one account that a node takes, those that it shall remove included. */
export const DOMAINS_PER_ACCOUNT = 10_000;

/** The same for databases, apps and cron jobs. */
export const DATABASES_PER_ACCOUNT = 1_000;
export const APPS_PER_ACCOUNT = 100;
export const CRON_JOBS_PER_ACCOUNT = 500;
