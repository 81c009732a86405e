/** What an account used when its node last measured it. */
export interface UsageSnapshotsTable {
  account_id: number;
  disk_used_mb: number;
  bandwidth_used_mb: number;
  cpu_used_percent: number;
  ram_used_mb: number;
  taken_at: Date;
}

/** What an account's sites have sent in a calendar month (`2026-11`, UTC). */
export interface BandwidthMonthlyTable {
  account_id: number;
  month: string;
  used_mb: number;
  updated_at: Date;
}
