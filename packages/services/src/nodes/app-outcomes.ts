import type { ObservedApp } from '@innkeeper/db';
import { type Commit, readCommit } from '@innkeeper/domain';
import type { AppStatusReport } from '@innkeeper/protocol';
import { statusChange } from './record-outcomes.ts';

type AppStatusChange = Pick<ObservedApp, 'id' | 'status' | 'status_reason' | 'served_release_id'>;

export interface AppOutcomes {
  changed: AppStatusChange[];
  /** Tombstones that the node reports gone. */
  gone: ObservedApp[];
  /** Releases that the node accepted or refused. It will not fetch their archives again. */
  served: number[];
  failed: number[];
  /** Commits of wanted releases. A report that follows has the same, so nothing is stored for it. */
  commits: { id: number; app_id: number; commit: Commit }[];
}

/**
 * Compares the reported apps of an account with the stored ones. A release becomes served when the node reports that it
 * serves. It becomes failed when its app is reported as failed while another release serves. Ids that the account does
 * not have are ignored: the node's spec can still contain an app whose row is gone. `releaseApps`: the app of each
 * reported release.
 */
export function appOutcomes(
  apps: readonly ObservedApp[],
  reported: readonly AppStatusReport[],
  releaseApps: ReadonlyMap<number, number>,
): AppOutcomes {
  const reports = new Map(reported.map((report) => [report.app_id, report]));
  const outcomes: AppOutcomes = { changed: [], gone: [], served: [], failed: [], commits: [] };
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
      const commit = report.commit?.release_id === app.release_id ? readCommit(report.commit) : undefined;
      if (commit !== undefined) outcomes.commits.push({ id: app.release_id, app_id: app.id, commit });
      if (servedId === app.release_id) outcomes.served.push(app.release_id);
      else if (report.status === 'failed') outcomes.failed.push(app.release_id);
    }
    const change = { ...statusChange('app', app.id, report), served_release_id: servedId };
    if (isNews(app, change)) outcomes.changed.push(change);
  }
  return outcomes;
}

function isNews(app: ObservedApp, change: AppStatusChange): boolean {
  return (
    change.status !== app.status ||
    change.status_reason !== app.status_reason ||
    change.served_release_id !== app.served_release_id
  );
}
