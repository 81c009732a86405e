import { siteFolder } from '@innkeeper/domain';
import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import type { NodejsVersionState } from '../nodejs/host.ts';
import type { TaskState } from '../task/host.ts';
import type { AppFilesState, AppPlaces, AppRecord, ArchiveState } from './host.ts';

/** Name of the release that the installer creates; a deployed release is named by its id. */
export const FIRST_RELEASE = '0';

/** The desired and the observed state of one app. */
export interface AppView {
  readonly appId: number;
  /** Undefined: the app should be removed. */
  readonly spec: AppSpec | undefined;
  readonly places: AppPlaces;
  readonly record: AppRecord | undefined;
  readonly files: AppFilesState;
  /** State of the task in the record. */
  readonly task: TaskState | undefined;
  readonly archive: ArchiveState | undefined;
  /** State of the Node.js version that builds the wanted release; undefined: none is needed now. */
  readonly nodejs: NodejsVersionState | undefined;
  /** Milliseconds until the retry of a failed attempt; 0 when it is due. */
  readonly retryInMs: number;
}

export function wantedRelease(spec: AppSpec): string {
  return spec.release === null ? FIRST_RELEASE : `${spec.release.release_id}`;
}

/**
 * The link through which nginx or a person reaches the app's files. Null for a Node.js app, which runs as a program.
 */
export function linkOf(account: AccountSpec, app: AppSpec): string | null {
  if (app.runtime === 'nodejs') return null;
  const domain = account.domains.find(
    ({ domain_id, desired_state }) => domain_id === app.domain_id && desired_state === 'active',
  );
  const owner = account.apps.find(
    ({ domain_id, desired_state }) => domain_id === domain?.domain_id && desired_state !== 'absent',
  );
  return domain === undefined || owner?.app_id !== app.app_id
    ? `apps/${app.app_id}/public_html`
    : siteFolder(domain.name);
}

/** Returns whether all wanted files of an app are in place. */
export function isInPlace({ places, files, record }: AppView): boolean {
  return (
    files.ready &&
    files.current === places.release &&
    files.linked &&
    record !== undefined &&
    record.link === places.link &&
    record.task === null
  );
}

/** The failure of the wanted release, unless somebody wanted it tried again since. */
export function failureOf({ record, places, spec }: AppView): AppRecord['failure'] {
  return failureOfRelease(record, places.release, spec?.retries ?? 0);
}

/** `retries`: those of the spec. */
export function failureOfRelease(
  record: AppRecord | undefined,
  release: string,
  retries: number,
): AppRecord['failure'] {
  const failure = record?.failure ?? null;
  return failure?.release === release && (failure.retries ?? 0) >= retries ? failure : null;
}
