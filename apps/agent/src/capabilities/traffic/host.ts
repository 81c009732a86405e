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
  /**
   * Returns what sites have answered since the last call, by uid, for the history. Requests that ended more than a
   * minute before they were read are left out, so nothing old counts as new after a stop of the agent.
   */
  takeAnswered(): ReadonlyMap<number, Answered>;
  /** Whether there are totals of the account. */
  knows(owner: Owner): boolean;
  forget(owner: Owner): Promise<void>;
}

/** Answered requests: bytes sent, number, and how many had a status of 500 or above. */
export interface Requests {
  sentBytes: number;
  requests: number;
  errors: number;
}

export interface Answered extends Requests {
  /** By the host that visitors asked for. */
  readonly hosts: ReadonlyMap<string, Requests>;
}

interface TrafficStatistics {
  readonly countedBytes: number;
  readonly refusedLines: number;
  /** Known number of files that disappeared before they were fully read. */
  readonly lostFiles: number;
}
