import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import { documentRootOf } from '../../../node/document-root.ts';
import type { NodeVersionState } from '../nodejs/host.ts';
import type { TaskState } from '../task/host.ts';
import type { AppFilesState, AppPlaces, AppRecord, ArchiveState } from './host.ts';

/** Name of what the installer makes; a release that was deployed is called by its id. */
export const FIRST_RELEASE = '0';

/** One app, as its spec wants it and as it is. */
export interface AppView {
  readonly appId: number;
  /** Undefined: the app is to be gone. */
  readonly spec: AppSpec | undefined;
  readonly places: AppPlaces;
  readonly record: AppRecord | undefined;
  readonly files: AppFilesState;
  /** Of the task that the record speaks of. */
  readonly task: TaskState | undefined;
  readonly archive: ArchiveState | undefined;
  /** Of the Node.js that is to build the wanted release; undefined: none is needed now. */
  readonly node: NodeVersionState | undefined;
  /** How long until a failed attempt is repeated, ms; 0 once it is due. */
  readonly retryInMs: number;
}

export function wantedRelease(spec: AppSpec): string {
  return spec.release === null ? FIRST_RELEASE : `${spec.release.release_id}`;
}

/** The link that leads nginx or a person to what an app serves. A Node.js app is run, not looked at. */
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
    : documentRootOf(domain.name);
}

/** Whether all that is wanted of an app's files is there. */
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

/** The failure of the release that is wanted. */
export function failureOf({ record, places }: AppView): AppRecord['failure'] {
  return record?.failure?.release === places.release ? record.failure : null;
}
