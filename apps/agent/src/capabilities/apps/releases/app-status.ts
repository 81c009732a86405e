import type { AccountSpec, AppStatusReport } from '@innkeeper/protocol';
import { type AppView, FIRST_RELEASE, failureOf, isInPlace } from './app-view.ts';

const LOOK_MS = 1_000;

/** Returns the status report of one app. While its files are in place, a Node.js app has the status of its program. */
export function statusOf(account: AccountSpec, app: AppView): AppStatusReport {
  const { spec, record, files, places, archive } = app;
  const said = (status: AppStatusReport['status'], reason = ''): AppStatusReport => ({
    app_id: app.appId,
    status,
    reason,
    release_id: files.current === undefined || files.current === FIRST_RELEASE ? null : Number(files.current),
  });
  if (spec === undefined) return said(record !== undefined || files.present ? 'stopping' : 'absent');
  if (account.desired_state === 'suspended') return said('stopped');
  const failure = failureOf(app);
  if (isInPlace(app))
    return said(spec.desired_state === 'stopped' && spec.runtime !== 'nodejs' ? 'stopped' : 'running');
  if (failure !== null && failure.retryAt === null) return said('failed', failure.reason);
  if (files.building && archive?.kind !== 'fetching') return said('building');
  const withoutNode = app.node?.kind === 'failed' ? app.node : undefined;
  if (withoutNode !== undefined && withoutNode.retryInMs === undefined)
    return said('failed', withoutNode.reason);
  const isFirst = files.current === undefined || places.release === FIRST_RELEASE;
  return said(isFirst ? 'installing' : 'updating', failure?.reason ?? withoutNode?.reason);
}

/** Milliseconds until background work may have changed something; undefined while no work is under way. */
export function lookAgainMs(app: AppView): number | undefined {
  if (app.spec === undefined || isInPlace(app)) return undefined;
  const failure = failureOf(app);
  if (failure === null) return app.node?.kind === 'failed' ? app.node.retryInMs : LOOK_MS;
  if (failure.retryAt === null) return undefined;
  return app.record?.task == null && app.archive === undefined ? Math.max(app.retryInMs, LOOK_MS) : LOOK_MS;
}
