import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import type { BuildPlan, PrepareJob, Source } from '../task/job.ts';
import { appFolderOf, buildLogOf } from './app-files.ts';
import { wantedRelease } from './app-view.ts';
import type { DeploySettings } from './host.ts';
import { starterSource } from './installers/starter.ts';
import { wordPressSource } from './installers/wordpress.ts';

type Installer = (app: AppSpec, account: AccountSpec, settings: DeploySettings) => Source;

/** The installers that create an app's first content, by the spec's `installer`: one file for each. */
const installers: Readonly<Record<AppSpec['installer'], Installer>> = {
  starter: starterSource,
  wordpress: (app, account, { wordpress }) => wordPressSource(app, account, wordpress),
};

export function prepareJobOf(
  app: AppSpec,
  account: AccountSpec,
  attempt: number,
  settings: DeploySettings,
): PrepareJob {
  return {
    folder: appFolderOf(app.app_id),
    release: wantedRelease(app),
    attempt,
    source: sourceOf(app, account, settings),
    build: buildOf(app, settings),
    log: buildLogOf(app.app_id),
  };
}

function sourceOf(app: AppSpec, account: AccountSpec, settings: DeploySettings): Source {
  const { release } = app;
  if (release === null) return installers[app.installer](app, account, settings);
  if (release.source === 'zip') return { kind: 'zip' };
  return {
    kind: 'git',
    repository: release.git_repository,
    branch: release.git_branch,
    deployKey: release.git_deploy_key,
    allowedNetworks: settings.gitAllowedNetworks,
  };
}

/** Whether a release needs a build: a deploy to a Node.js app does; an installer's output does not. */
export function needsBuild(app: AppSpec): boolean {
  return app.runtime === 'nodejs' && app.release !== null;
}

function buildOf(app: AppSpec, { npmRegistry }: DeploySettings): BuildPlan | null {
  if (!needsBuild(app) || app.node_version === null) return null;
  return {
    nodeVersion: app.node_version,
    registry: npmRegistry,
    env: Object.fromEntries(app.env.map(({ name, value }) => [name, value])),
  };
}
