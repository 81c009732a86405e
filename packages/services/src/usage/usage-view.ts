import type { UsageRow } from '@innkeeper/db';

/** Usage of an account and its current limits. Sizes in MiB, CPU in percent of one core. */
export interface UsageView {
  disk_used_mb: number;
  disk_limit_mb: number;
  /** Of this calendar month, UTC. */
  bandwidth_used_mb: number;
  bandwidth_limit_mb: number;
  cpu_used_percent: number;
  cpu_limit_percent: number;
  ram_used_mb: number;
  ram_limit_mb: number;
  /** When the node measured the usage. Null: not measured yet, and the usage is zero. */
  measured_at: Date | null;
}

export function usageView(row: UsageRow): UsageView {
  return {
    disk_used_mb: row.disk_used_mb ?? 0,
    disk_limit_mb: row.disk_limit_mb,
    bandwidth_used_mb: row.bandwidth_used_mb ?? 0,
    bandwidth_limit_mb: row.bandwidth_limit_mb,
    cpu_used_percent: row.cpu_used_percent ?? 0,
    cpu_limit_percent: row.cpu_limit_percent,
    ram_used_mb: row.ram_used_mb ?? 0,
    ram_limit_mb: row.ram_limit_mb,
    measured_at: row.taken_at,
  };
}
