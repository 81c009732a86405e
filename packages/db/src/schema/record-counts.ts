import type { Generated } from 'kysely';

/** Numbers of records and sums of their limits, so that no query has to count them. See queries/record-counts.ts. */
export interface RecordCountsTable {
  /** Accounts in total and per reseller, per node, and per package. */
  record: 'accounts' | 'node_accounts' | 'package_accounts';
  /** The reseller (0: the total), the node or the package. */
  scope_id: number;
  slot: number;
  records: number;
  /** Sums of the limits of the records. */
  disk_mb: Generated<number>;
  ram_mb: Generated<number>;
}

/** Created and removed accounts by day. See queries/account-days.ts. */
export interface AccountDaysTable {
  /** Days since 1970-01-01 (UTC). */
  day: number;
  /** The reseller that the account had, or 0: all accounts. */
  scope_id: number;
  slot: number;
  created: number;
  removed: number;
}
