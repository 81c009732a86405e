import type { AccountSpec } from '@innkeeper/protocol';
import type { Change } from '../../driver.ts';
import { type AppView, failureOf, isInPlace } from './app-view.ts';
import type { AppRecord } from './host.ts';

/** `record`: the app's durable state from this change on. */
export type ReleasesChange = Change & { readonly appId: number; readonly record: AppRecord } & (
    | {
        readonly kind:
          | 'claim'
          | 'fetch'
          | 'install-nodejs'
          | 'start'
          | 'end-task'
          | 'conclude'
          | 'remove'
          | 'forget';
      }
    | { readonly kind: 'swap'; readonly formerLink: string | null }
  );

/** Returns the next changes for one app. Pure. */
export function planApp(account: AccountSpec, app: AppView): ReleasesChange[] {
  const { appId, record, places } = app;
  const known: AppRecord = record ?? { appId, link: places.link, task: null, failure: null };
  const step = (
    kind: 'claim' | 'fetch' | 'install-nodejs' | 'start' | 'end-task' | 'conclude' | 'remove' | 'forget',
  ) => ({
    kind,
    appId,
    record: known,
    summary: `${summaries[kind]} of app ${appId}`,
  });
  if (account.desired_state === 'absent') return record === undefined ? [] : [step('forget')];
  if (app.spec === undefined) return record === undefined && !app.files.present ? [] : [step('remove')];
  if (account.desired_state === 'suspended') return isBusy(app) ? [step('end-task')] : [];

  const claim = record === undefined ? [step('claim')] : [];
  return [...claim, ...towardsRelease(app, known, step)];
}

const summaries = {
  claim: 'take note',
  fetch: 'fetch the archive',
  'install-nodejs': 'install the Node.js',
  start: 'prepare a release',
  'end-task': 'end the task',
  conclude: 'note the failure',
  remove: 'remove the files',
  forget: 'forget the releases',
};

function towardsRelease(
  app: AppView,
  known: AppRecord,
  step: (kind: 'fetch' | 'install-nodejs' | 'start' | 'end-task' | 'conclude') => ReleasesChange,
): ReleasesChange[] {
  const { appId, places, files, record, task } = app;
  if (files.ready) {
    if (isInPlace(app)) return [];
    return [
      {
        kind: 'swap',
        appId,
        record: { ...known, link: places.link, task: null, failure: null },
        formerLink: known.link === places.link ? null : known.link,
        summary: `have release ${places.release} of app ${appId} serve`,
      },
    ];
  }
  if (record?.task != null && record.task.release !== places.release)
    return [step('end-task'), ...nextAttempt({ ...app, archive: undefined }, step)];
  if (record?.task != null) return task?.running === true ? [] : [step('conclude')];
  return nextAttempt(app, step);
}

function nextAttempt(
  app: AppView,
  step: (kind: 'fetch' | 'install-nodejs' | 'start' | 'conclude') => ReleasesChange,
): ReleasesChange[] {
  const { archive, nodejs, retryInMs, spec } = app;
  const failure = failureOf(app);
  if (failure !== null && (failure.retryAt === null || retryInMs > 0)) return [];
  if (nodejs?.kind === 'missing') return [step('install-nodejs')];
  if (nodejs !== undefined && nodejs.kind !== 'ready') return [];
  if (spec?.release?.source === 'zip') {
    if (archive === undefined) return [step('fetch')];
    if (archive.kind === 'fetching') return [];
    if (archive.kind === 'failed') return [step('conclude')];
  }
  return [step('start')];
}

/** Returns whether background work for the app is under way. */
function isBusy({ record, archive }: AppView): boolean {
  return record?.task != null || archive !== undefined;
}
