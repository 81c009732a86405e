import type { PackageForOperator, PackageRow } from '@innkeeper/db';

/** A package as the API shows it. Sizes in MiB, rates in MiB/s, CPU in percent of one core; null: unlimited. */
export interface PackageView {
  id: number;
  name: string;
  slug: string;
  disk_mb: number;
  bandwidth_mb: number;
  cpu_percent: number;
  ram_mb: number;
  io_read_mbps: number | null;
  io_write_mbps: number | null;
  iops: number | null;
  max_processes: number | null;
  max_domains: number;
  max_databases: number;
  max_apps: number;
  max_cron_jobs: number;
  terminal_access: boolean;
  /** Whether accounts may connect to port 25 of other servers. */
  smtp_port_25: boolean;
  is_active: boolean;
}

export interface OperatorPackageView extends PackageView {
  is_internal: boolean;
  /** The reseller whose package it is; null: the admin's. */
  owner: string | null;
  /** Resellers that may sell it besides its owner. */
  assigned_resellers: string[];
  accounts: number;
}

export function packageView(row: PackageRow): PackageView {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    disk_mb: row.disk_limit_mb,
    bandwidth_mb: row.bandwidth_limit_mb,
    cpu_percent: row.cpu_limit_percent,
    ram_mb: row.ram_limit_mb,
    io_read_mbps: row.io_read_mbps,
    io_write_mbps: row.io_write_mbps,
    iops: row.iops,
    max_processes: row.max_processes,
    max_domains: row.max_domains,
    max_databases: row.max_databases,
    max_apps: row.max_apps,
    max_cron_jobs: row.max_cron_jobs,
    terminal_access: row.terminal_access === 1,
    smtp_port_25: row.smtp_port_25 === 1,
    is_active: row.is_active === 1,
  };
}

export function operatorPackageView(
  row: PackageForOperator,
  assignedResellers: string[],
): OperatorPackageView {
  return {
    ...packageView(row),
    is_internal: row.is_internal === 1,
    owner: row.owner_username,
    assigned_resellers: assignedResellers,
    accounts: row.account_count,
  };
}
