import { type AccountLimits, limitBounds } from '@innkeeper/domain';
import type { FieldCheck } from '../field-check.ts';

/** Sizes in MiB, rates in MiB/s, CPU in percent of one core. */
export interface PackageLimitsInput {
  disk_mb: number;
  bandwidth_mb: number;
  cpu_percent: number;
  ram_mb: number;
  /** Null or left out: unlimited; so for the next three. */
  io_read_mbps?: number | null;
  io_write_mbps?: number | null;
  iops?: number | null;
  max_processes?: number | null;
  max_domains: number;
  max_databases: number;
  max_apps: number;
  max_cron_jobs: number;
}

/** The limits as an account has them, within the bounds of an account's. */
export function checkedLimits(check: FieldCheck, input: PackageLimitsInput): AccountLimits {
  const sized = (field: keyof PackageLimitsInput & string, limit: keyof AccountLimits): number =>
    check.integer(field, input[field] ?? Number.NaN, limitBounds[limit]);
  const unlimitable = (field: 'io_read_mbps' | 'io_write_mbps' | 'iops' | 'max_processes'): number | null =>
    input[field] === undefined || input[field] === null ? null : sized(field, field);
  return {
    disk_limit_mb: sized('disk_mb', 'disk_limit_mb'),
    bandwidth_limit_mb: sized('bandwidth_mb', 'bandwidth_limit_mb'),
    cpu_limit_percent: sized('cpu_percent', 'cpu_limit_percent'),
    ram_limit_mb: sized('ram_mb', 'ram_limit_mb'),
    io_read_mbps: unlimitable('io_read_mbps'),
    io_write_mbps: unlimitable('io_write_mbps'),
    iops: unlimitable('iops'),
    max_processes: unlimitable('max_processes'),
    max_domains: sized('max_domains', 'max_domains'),
    max_databases: sized('max_databases', 'max_databases'),
    max_apps: sized('max_apps', 'max_apps'),
    max_cron_jobs: sized('max_cron_jobs', 'max_cron_jobs'),
  };
}
