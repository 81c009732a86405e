/** What was used in the interval: answered requests, those with a status of 500 or above, and the bytes sent. */
interface TrafficColumns {
  sent_bytes: number;
  requests: number;
  errors: number;
}

/** Usage of an account in 5 minutes, in an hour or in a day. */
export interface AccountUsageTable extends TrafficColumns {
  /** Length of the interval in minutes: 5, 60 or 1,440. */
  step: number;
  /** Start of the interval, Unix seconds. */
  slot: number;
  account_id: number;
  /** Seconds of the interval that were measured. The rest is a gap. */
  measured_s: number;
  cpu_ms: number;
  /** Highest sample. */
  memory_mb: number;
  /** At the last measurement in the interval. Null: there was none. */
  disk_mb: number | null;
}

/** Usage of a server, and of its sites together. */
export interface ServerUsageTable extends TrafficColumns {
  step: number;
  slot: number;
  node_id: number;
  measured_s: number;
  cpu_busy_ms: number;
  cpu_total_ms: number;
  /** Highest samples. */
  memory_mb: number;
  memory_total_mb: number;
  disk_mb: number;
  disk_total_mb: number;
  load_percent: number;
  accounts: number;
  /** Accounts with at least one process. */
  running_accounts: number;
}

/** Traffic of a site in a day (UTC). */
export interface SiteUsageTable extends TrafficColumns {
  slot: number;
  domain_id: number;
}

/** The stored parts of an interval: a repeated part is not added again. */
export interface UsagePartsTable {
  slot: number;
  node_id: number;
  part: number;
}
