/** Status of a record in a report. `absent`: the node has nothing of it. */
interface Reported<Status extends string> {
  status: Status;
  reason: string;
}

interface StatusChange<Status extends string> {
  id: number;
  status: Exclude<Status, 'absent'> | 'failed';
  status_reason: string | null;
}

/** The status of a record by its report. A record that should exist and is reported absent has failed. */
export function statusChange<Status extends string>(
  kind: 'domain' | 'database' | 'app',
  id: number,
  { status, reason }: Reported<Status>,
): StatusChange<Status> {
  return status === 'absent'
    ? { id, status: 'failed', status_reason: `The hosting server says it has no such ${kind}.` }
    : {
        id,
        status: status as Exclude<Status, 'absent'>,
        status_reason: reason === '' ? null : reason,
      };
}

/**
 * Compares the reported records of an account with the stored ones. `gone`: tombstones that the node reports gone. Ids
 * that the account does not have are ignored: the node's spec can still contain a record whose row is gone.
 */
export function recordOutcomes<
  Stored extends { id: number; state: string; status: string; status_reason: string | null },
  Status extends string,
>(
  kind: 'domain' | 'database',
  stored: readonly Stored[],
  reports: ReadonlyMap<number, Reported<Status>>,
): { changed: StatusChange<Status>[]; gone: Stored[] } {
  const changed: StatusChange<Status>[] = [];
  const gone: Stored[] = [];
  for (const record of stored) {
    const report = reports.get(record.id);
    if (report === undefined) continue;
    const change = statusChange(kind, record.id, report);
    if (report.status === 'absent' && record.state === 'removing') gone.push(record);
    else if (change.status !== record.status || change.status_reason !== record.status_reason)
      changed.push(change);
  }
  return { changed, gone };
}
