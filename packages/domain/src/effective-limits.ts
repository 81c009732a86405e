import type { AccountLimits } from './limits.ts';

type UnlimitableLimit = 'io_read_mbps' | 'io_write_mbps' | 'iops' | 'max_processes';

/** Limits as a request names them: left out, or null. */
export type LimitOverrides = {
  [Limit in keyof AccountLimits]?: AccountLimits[Limit] | null | undefined;
};

/** The limits of an account without a package: its own, but for those that it cannot name. */
export type CustomLimits = Omit<AccountLimits, UnlimitableLimit | 'max_cron_jobs'> &
  Pick<LimitOverrides, UnlimitableLimit>;

/** A package's limits with what a request puts in their place; null and left out both mean the package's. */
export function limitsInPackage(packageLimits: AccountLimits, overrides: LimitOverrides): AccountLimits {
  const pick = <Limit extends keyof AccountLimits>(limit: Limit) =>
    (overrides[limit] ?? packageLimits[limit]) as AccountLimits[Limit];
  return {
    disk_limit_mb: pick('disk_limit_mb'),
    bandwidth_limit_mb: pick('bandwidth_limit_mb'),
    cpu_limit_percent: pick('cpu_limit_percent'),
    ram_limit_mb: pick('ram_limit_mb'),
    io_read_mbps: pick('io_read_mbps'),
    io_write_mbps: pick('io_write_mbps'),
    iops: pick('iops'),
    max_processes: pick('max_processes'),
    max_domains: pick('max_domains'),
    max_databases: pick('max_databases'),
    max_apps: pick('max_apps'),
    max_cron_jobs: pick('max_cron_jobs'),
  };
}

/**
 * The limits of an account that hangs on a package but has its own: IO, IOPS and processes are unlimited
 * where nothing is said, and cron jobs, which no request names, follow the package.
 */
export function limitsOfItsOwn(packageLimits: AccountLimits, given: CustomLimits): AccountLimits {
  return {
    disk_limit_mb: given.disk_limit_mb,
    bandwidth_limit_mb: given.bandwidth_limit_mb,
    cpu_limit_percent: given.cpu_limit_percent,
    ram_limit_mb: given.ram_limit_mb,
    io_read_mbps: given.io_read_mbps ?? null,
    io_write_mbps: given.io_write_mbps ?? null,
    iops: given.iops ?? null,
    max_processes: given.max_processes ?? null,
    max_domains: given.max_domains,
    max_databases: given.max_databases,
    max_apps: given.max_apps,
    max_cron_jobs: packageLimits.max_cron_jobs,
  };
}
