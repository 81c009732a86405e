import type { Generated } from 'kysely';

/** How many records there are, and what they may take, so that nothing has to count them. See queries/record-counts.ts. */
export interface RecordCountsTable {
  /** Accounts in all and of resellers, those on nodes, and those of packages. */
  record: 'accounts' | 'node_accounts' | 'package_accounts';
  /** The reseller (0: all there are), the node or the package that they belong to. */
  scope_id: number;
  slot: number;
  records: number;
  /** Sums of the limits of the records. */
  disk_mb: Generated<number>;
  ram_mb: Generated<number>;
}
