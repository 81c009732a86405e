import type { AppStatusChange, ObservedApp } from '@innkeeper/db';
import type { AppStatusReport } from '@innkeeper/protocol';

export interface AppOutcomes {
  changed: AppStatusChange[];
  /** Tombstones that the node has none of any more. */
  gone: ObservedApp[];
  /** Releases that the node took or refused: it will not ask for their archives again. */
  served: number[];
  failed: number[];
}

/**
 * What a report says of an account's apps, against what is stored. A release is served once the node says
 * that it serves, and has failed once the app has while another one serves. Ids that the account does not
 * have are passed over: the node's spec may still hold an app whose row is gone. `releaseApps`: which of the
 * reported releases are whose.
 */
export function appOutcomes(
  apps: readonly ObservedApp[],
  reported: readonly AppStatusReport[],
  releaseApps: ReadonlyMap<number, number>,
): AppOutcomes {
  const reports = new Map(reported.map((report) => [report.app_id, report]));
  const outcomes: AppOutcomes = { changed: [], gone: [], served: [], failed: [] };
  for (const app of apps) {
    const report = reports.get(app.id);
    if (report === undefined) continue;
    if (report.status === 'absent' && app.state === 'removing') {
      outcomes.gone.push(app);
      continue;
    }
    const servedId =
      report.release_id !== null && releaseApps.get(report.release_id) === app.id ? report.release_id : null;
    if (app.release_id !== null && app.release_state === 'wanted') {
      if (servedId === app.release_id) outcomes.served.push(app.release_id);
      else if (report.status === 'failed') outcomes.failed.push(app.release_id);
    }
    const change = changeOf(report, servedId);
    if (isNews(app, change)) outcomes.changed.push(change);
  }
  return outcomes;
}

function changeOf({ app_id, status, reason }: AppStatusReport, servedId: number | null): AppStatusChange {
  const change = { id: app_id, served_release_id: servedId };
  return status === 'absent'
    ? { ...change, status: 'failed', status_reason: 'The hosting server says it has no such app.' }
    : { ...change, status, status_reason: reason === '' ? null : reason };
}

function isNews(app: ObservedApp, change: AppStatusChange): boolean {
  return (
    change.status !== app.status ||
    change.status_reason !== app.status_reason ||
    change.served_release_id !== app.served_release_id
  );
}
