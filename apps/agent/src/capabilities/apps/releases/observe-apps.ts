import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import type { Owner } from '../../../node/owner.ts';
import { ownerOf } from '../../claim.ts';
import type { Host } from '../../host.ts';
import { type AppView, FIRST_RELEASE, failureOf, linkOf, wantedRelease } from './app-view.ts';
import type { AppFilesState, AppPlaces, AppRecord } from './host.ts';
import { needsBuild } from './prepare-job.ts';

const NOTHING: AppFilesState = {
  present: false,
  current: undefined,
  ready: false,
  building: false,
  linked: false,
};

/** Observes every app in the spec or in a record. An account without apps starts no program. */
export async function observeApps(spec: AccountSpec, host: Host): Promise<AppView[]> {
  const owner = ownerOf(spec);
  const records = new Map((await host.appRecords.of(owner)).map((record) => [record.appId, record]));
  const wanted = new Map(
    spec.apps.filter((app) => app.desired_state !== 'absent').map((app) => [app.app_id, app]),
  );
  const ids = [...new Set([...spec.apps.map(({ app_id }) => app_id), ...records.keys()])];
  const places = ids.map((appId) => placesOf(spec, wanted.get(appId), records.get(appId), appId));
  const files = await observeFiles(spec, host, places);
  return Promise.all(
    places.map((place, at) =>
      observeApp(host, owner, {
        appId: place.appId,
        spec: wanted.get(place.appId),
        places: place,
        record: records.get(place.appId),
        files: files[at] ?? NOTHING,
      }),
    ),
  );
}

async function observeApp(
  host: Host,
  owner: Owner,
  known: Pick<AppView, 'appId' | 'spec' | 'places' | 'record' | 'files'>,
): Promise<AppView> {
  const { appId, spec, record } = known;
  const releaseId = spec?.release?.release_id;
  const archive = releaseId === undefined ? undefined : host.archives.state(owner, appId, releaseId);
  const task = record?.task == null ? undefined : await host.tasks.observe(owner, appId);
  const version = spec !== undefined && needsBuild(spec) && !known.files.ready ? spec.node_version : null;
  const nodejs = version === null ? undefined : await host.nodejsVersions.state(version);
  const view = { ...known, archive, task, nodejs, retryInMs: 0 };
  const retryAt = failureOf(view)?.retryAt ?? 0;
  return { ...view, retryInMs: Math.max(0, retryAt - Date.now()) };
}

async function observeFiles(
  spec: AccountSpec,
  host: Host,
  places: readonly AppPlaces[],
): Promise<AppFilesState[]> {
  if (places.length === 0 || spec.desired_state === 'absent') return [];
  const owner = ownerOf(spec);
  const { kind } = await host.homes.observe(owner);
  return kind === 'ours' ? host.appFiles.observe(owner, places) : [];
}

function placesOf(
  account: AccountSpec,
  app: AppSpec | undefined,
  record: AppRecord | undefined,
  appId: number,
): AppPlaces {
  return app === undefined
    ? { appId, release: FIRST_RELEASE, link: record?.link ?? null }
    : { appId, release: wantedRelease(app), link: linkOf(account, app) };
}
