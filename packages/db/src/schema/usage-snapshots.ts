/** An account's usage at the node's last measurement. */
export interface UsageSnapshotsTable {
  account_id: number;
  disk_used_mb: number;
  bandwidth_used_mb: number;
  cpu_used_percent: number;
  ram_used_mb: number;
  taken_at: Date;
}

/** Bandwidth of an account's sites in a calendar month (`2026-11`, UTC). */
export interface BandwidthMonthlyTable {
  account_id: number;
  month: string;
  used_mb: number;
  updated_at: Date;
}
