import type { AccountSpec, AppStatusReport } from '@innkeeper/protocol';
import { type AppView, FIRST_RELEASE, failureOf, isInPlace } from './app-view.ts';
import type { AppRecord } from './host.ts';

const OBSERVE_AGAIN_MS = 1_000;

/** Returns the status report of one app. While its files are in place, a Node.js app has the status of its program. */
export function statusOf(account: AccountSpec, app: AppView): AppStatusReport {
  const { spec, record, files, places, archive } = app;
  const report = (status: AppStatusReport['status'], reason = ''): AppStatusReport => ({
    app_id: app.appId,
    status,
    reason,
    release_id: files.current === undefined || files.current === FIRST_RELEASE ? null : Number(files.current),
    ...commitOf(record),
  });
  if (spec === undefined) return report(record !== undefined || files.present ? 'stopping' : 'absent');
  if (account.desired_state === 'suspended') return report('stopped');
  const failure = failureOf(app);
  if (isInPlace(app))
    return report(spec.desired_state === 'stopped' && spec.runtime !== 'nodejs' ? 'stopped' : 'running');
  if (failure !== null && failure.retryAt === null) return report('failed', failure.reason);
  if (files.building && archive?.kind !== 'fetching') return report('building');
  const withoutNodejs = app.nodejs?.kind === 'failed' ? app.nodejs : undefined;
  if (withoutNodejs !== undefined && withoutNodejs.retryInMs === undefined)
    return report('failed', withoutNodejs.reason);
  const isFirst = files.current === undefined || places.release === FIRST_RELEASE;
  return report(isFirst ? 'installing' : 'updating', failure?.reason ?? withoutNodejs?.reason);
}

function commitOf(record: AppRecord | undefined): Pick<AppStatusReport, 'commit'> {
  if (record?.commit == null) return {};
  const { release, ...commit } = record.commit;
  return { commit: { release_id: Number(release), ...commit } };
}

/** Milliseconds until background work may have changed something; undefined while no work is under way. */
export function observeAgainMs(app: AppView): number | undefined {
  if (app.spec === undefined || isInPlace(app)) return undefined;
  const failure = failureOf(app);
  if (failure === null) return app.nodejs?.kind === 'failed' ? app.nodejs.retryInMs : OBSERVE_AGAIN_MS;
  if (failure.retryAt === null) return undefined;
  return app.record?.task == null && app.archive === undefined
    ? Math.max(app.retryInMs, OBSERVE_AGAIN_MS)
    : OBSERVE_AGAIN_MS;
}
