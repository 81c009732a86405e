import type { DatabaseStatusChange, ObservedDatabase } from '@innkeeper/db';
import type { DatabaseStatus } from '@innkeeper/protocol';

export interface DatabaseOutcomes {
  changed: DatabaseStatusChange[];
  /** Tombstones that the node reports gone and that no app refers to. */
  gone: ObservedDatabase[];
}

/**
 * Compares the reported databases of an account with the stored ones. Ids that the account does not have are ignored:
 * the node's spec can still contain a database whose row is gone. `inUse`: the databases that apps refer to.
 */
export function databaseOutcomes(
  databases: readonly ObservedDatabase[],
  reported: readonly DatabaseStatus[],
  inUse: ReadonlySet<number | null>,
): DatabaseOutcomes {
  const reports = new Map(reported.map((report) => [report.database_id, report]));
  const outcomes: DatabaseOutcomes = { changed: [], gone: [] };
  for (const database of databases) {
    const report = reports.get(database.id);
    if (report === undefined) continue;
    if (report.status === 'absent' && database.state === 'removing') {
      if (!inUse.has(database.id)) outcomes.gone.push(database);
      continue;
    }
    const change = changeOf(report);
    if (change.status !== database.status || change.status_reason !== database.status_reason)
      outcomes.changed.push(change);
  }
  return outcomes;
}

function changeOf({ database_id, status, reason }: DatabaseStatus): DatabaseStatusChange {
  return status === 'absent'
    ? { id: database_id, status: 'failed', status_reason: 'The hosting server says it has no such database.' }
    : { id: database_id, status, status_reason: reason === '' ? null : reason };
}
