import type { UsageView } from '@innkeeper/contract';
import type { UsageRow } from '@innkeeper/db';

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
