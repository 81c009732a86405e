/**
 * What a reseller may hand out in all; null: not pooled. IO, IOPS and processes are always summed over
 * the accounts; disk, CPU, RAM and bandwidth only when `overselling` is 0.
 */
export interface ResellerPoolsTable {
  reseller_user_id: number;
  overselling: number;
  max_accounts: number | null;
  disk_mb: number | null;
  bandwidth_mb: number | null;
  cpu_percent: number | null;
  ram_mb: number | null;
  io_read_mbps: number | null;
  io_write_mbps: number | null;
  iops: number | null;
  max_processes: number | null;
}
