import { siteFolder } from '@innkeeper/domain';
import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import { HostError } from '../../../node/host-error.ts';
import { ownerOf } from '../../claim.ts';
import type { Driver } from '../../driver.ts';
import type { Host } from '../../host.ts';
import { releaseIn } from '../programs/program-config.ts';
import { observeAgainMs, statusOf } from './app-status.ts';
import { type AppView, FIRST_RELEASE, wantedRelease } from './app-view.ts';
import { withCommit } from './cloned-commit.ts';
import { attemptOf, failedRecord, reasonOfArchive, reasonOfTask } from './failure.ts';
import type { AppRecord } from './host.ts';
import { observeApps } from './observe-apps.ts';
import { planApp, type ReleasesChange } from './plan-app.ts';
import { prepareJobOf } from './prepare-job.ts';

/**
 * The files of every app. The wanted release is prepared beside the serving one, and one link swaps it in. A release
 * that still exists is only swapped in. Work runs in the background: downloads of archives in the agent, everything
 * else as a task of the account. A failure stays until another release is wanted, or until its next attempt is due.
 */
export const releasesDriver: Driver<readonly AppView[], ReleasesChange> = {
  name: 'releases',
  buildsOn: ['user', 'home', 'slice', 'processes'],
  worksInHome: true,

  observe: observeApps,

  plan: (spec, apps) => apps.flatMap((app) => planApp(spec, app)),

  async apply(change, spec, host) {
    const owner = ownerOf(spec);
    const { appId, record } = change;
    switch (change.kind) {
      case 'claim':
        return host.appRecords.put(owner, record);
      case 'fetch':
        return fetchArchive(specOf(spec, appId), spec, host);
      case 'install-nodejs':
        return host.nodejsVersions.install(specOf(spec, appId).node_version ?? '');
      case 'start':
        return start(change, specOf(spec, appId), spec, host);
      case 'end-task':
        await endTask(appId, spec, host);
        return host.appRecords.put(owner, { ...record, task: null });
      case 'conclude':
        return conclude(change, specOf(spec, appId), spec, host);
      case 'swap':
        return swap(change, specOf(spec, appId), spec, host);
      case 'remove':
        await endTask(appId, spec, host);
        await endProgram(appId, spec, host);
        await host.appFiles.remove(owner, appId, record.link);
        await restoreDocumentRoot(record.link, spec, host);
        return host.appRecords.remove(owner, appId);
      case 'forget':
        await endTask(appId, spec, host);
        return host.appRecords.remove(owner, appId);
    }
  },

  statuses: (spec, apps) =>
    spec.desired_state === 'absent'
      ? {}
      : {
          apps: apps
            .filter(({ appId }) => spec.apps.some(({ app_id }) => app_id === appId))
            .map((app) => statusOf(spec, app)),
        },

  observeAgainMs(spec, apps) {
    if (spec.desired_state !== 'active') return undefined;
    const delays = apps.flatMap((app) => observeAgainMs(app) ?? []);
    return delays.length === 0 ? undefined : Math.min(...delays);
  },
};

function specOf(spec: AccountSpec, appId: number): AppSpec {
  const app = spec.apps.find(({ app_id }) => app_id === appId);
  if (app === undefined) throw new HostError('Failed', `App ${appId} is not in the spec.`);
  return app;
}

async function fetchArchive({ app_id, release }: AppSpec, spec: AccountSpec, host: Host): Promise<void> {
  if (release === null) return;
  host.archives.fetch(ownerOf(spec), {
    accountId: spec.account_id,
    appId: app_id,
    releaseId: release.release_id,
    bytes: release.archive_bytes,
    sha256: release.archive_sha256,
  });
}

type ApplyStep = (change: ReleasesChange, app: AppSpec, spec: AccountSpec, host: Host) => Promise<void>;

/** Records the task before it starts: so after a crash at any moment, the agent still looks for the task. */
const start: ApplyStep = async ({ appId, record }, app, spec, host) => {
  const owner = ownerOf(spec);
  const release = wantedRelease(app);
  const attempt = attemptOf(record, app);
  const archive =
    app.release?.source === 'zip' ? host.archives.state(owner, appId, app.release.release_id) : undefined;
  if (app.release?.source === 'zip' && archive?.kind !== 'ready')
    throw new HostError('Failed', `The archive of app ${appId} is missing.`, { concerns: [appId] });
  await host.appRecords.put(owner, { ...record, task: { release, attempt } });
  await host.tasks.start(owner, {
    appId,
    label: `release-${release}`,
    job: prepareJobOf(app, spec, attempt, host.deploys),
    ...(archive?.kind === 'ready' ? { archive: archive.file } : {}),
    limitS: host.deploys.buildTimeoutS,
  });
  await host.archives.discard(owner, appId);
};

const conclude: ApplyStep = async ({ appId, record }, app, spec, host) => {
  const owner = ownerOf(spec);
  const reason =
    record.task === null
      ? reasonOfArchive(host.archives.state(owner, appId, app.release?.release_id ?? 0))
      : reasonOfTask(
          await host.appFiles.readResult(owner, appId),
          record.task,
          (await host.tasks.observe(owner, appId)).end,
          host.deploys,
        );
  const known = await withCommit(record, app, owner, host);
  await host.appRecords.put(owner, failedRecord(known, app, reason, Date.now()));
  await endTask(appId, spec, host);
};

async function swap(
  { appId, record, ...change }: ReleasesChange,
  app: AppSpec,
  spec: AccountSpec,
  host: Host,
): Promise<void> {
  const owner = ownerOf(spec);
  const release = wantedRelease(app);
  await endTask(appId, spec, host);
  const adopts =
    release !== FIRST_RELEASE || app.installer !== 'starter'
      ? 'nothing'
      : app.runtime === 'static'
        ? 'no sources'
        : 'anything';
  const former = app.runtime === 'nodejs' ? await formerOf(record, release, spec, host) : null;
  await host.appFiles.swap(owner, {
    appId,
    release,
    link: record.link,
    adopts,
    spare: former?.release ?? null,
  });
  const formerLink = change.kind === 'swap' ? change.formerLink : null;
  if (formerLink !== null) {
    await host.appFiles.unlink(owner, appId, formerLink);
    await restoreDocumentRoot(formerLink, spec, host);
  }
  const known = await withCommit(record, app, owner, host);
  await host.appRecords.put(owner, { ...known, former, broken: null });
}

/** The release to fall back to if the program of the new one does not start: the one that runs now, or ran last. */
async function formerOf(
  { appId, former }: AppRecord,
  release: string,
  spec: AccountSpec,
  host: Host,
): Promise<NonNullable<AppRecord['former']> | null> {
  const program = (await host.programs.observe(ownerOf(spec), [appId])).find((it) => it.appId === appId);
  const runs = program?.activity === 'running' ? releaseIn(program.config?.text) : undefined;
  const last = runs ?? former?.release;
  return last === undefined || last === release || last === FIRST_RELEASE
    ? null
    : { release: last, swappedAt: Date.now() };
}

async function endTask(appId: number, spec: AccountSpec, host: Host): Promise<void> {
  const owner = ownerOf(spec);
  await host.tasks.end(owner, appId);
  await host.archives.discard(owner, appId);
}

/** The program runs from the files that are to be removed. */
async function endProgram(appId: number, spec: AccountSpec, host: Host): Promise<void> {
  const owner = ownerOf(spec);
  const programs = await host.programs.observe(owner, [appId]);
  if (programs.some((program) => program.appId === appId && program.present))
    await host.programs.end(owner, appId);
}

/** A domain without its app becomes a plain site again. */
async function restoreDocumentRoot(link: string | null, spec: AccountSpec, host: Host): Promise<void> {
  const owner = ownerOf(spec);
  const isSite = spec.domains.some(
    ({ name, desired_state }) => desired_state === 'active' && siteFolder(name) === link,
  );
  if (link === null || !isSite) return;
  if ((await host.homes.missing(owner, [link])).length === 0) return;
  await host.homes.createDocumentRoot(owner, link);
}
