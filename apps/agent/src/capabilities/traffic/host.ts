import type { Owner } from '../../node/owner.ts';

/** The bytes that the sites of accounts have sent. */
export interface Traffic {
  /** The calendar month in UTC that is counted now: `2026-11`. */
  readonly month: string;
  /** Since the start of the agent. */
  readonly statistics: TrafficStatistics;
  /** Bytes of this month, from memory. */
  usedBytes(owner: Owner): number;
  /** Whether the account has used more than its bandwidth of this month, from memory. */
  isExceeded(owner: Owner, limitMb: number): boolean;
  /**
   * Counts what was logged since the last read. Throws when the log or the totals on disk cannot be read or written.
   */
  read(): Promise<void>;
  /** Whether there are totals of the account. */
  knows(owner: Owner): boolean;
  forget(owner: Owner): Promise<void>;
}

interface TrafficStatistics {
  readonly countedBytes: number;
  readonly refusedLines: number;
  /** Known number of files that disappeared before they were fully read. */
  readonly lostFiles: number;
}
