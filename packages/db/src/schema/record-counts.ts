/** How many records there are, so that no list has to count them. See queries/record-counts.ts. */
export interface RecordCountsTable {
  record: 'accounts';
  /** The reseller whose accounts they belong to; 0: all there are. */
  scope_id: number;
  slot: number;
  records: number;
}
