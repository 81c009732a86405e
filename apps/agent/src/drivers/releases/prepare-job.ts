import type { AppSpec } from '@innkeeper/protocol';
import { appFolderOf, buildLogOf } from '../../host/app-files.ts';
import type { DeploySettings } from '../../host/host.ts';
import type { BuildPlan, PrepareJob, Source } from '../../task/job.ts';
import { wantedRelease } from './app-view.ts';
import { starterSource } from './installers/starter.ts';

/** What makes an app's first content, by the spec's `installer`: one file for each. */
const installers: Readonly<Record<AppSpec['installer'], (app: AppSpec) => Source>> = {
  starter: starterSource,
  wordpress: starterSource,
};

export function prepareJobOf(app: AppSpec, attempt: number, settings: DeploySettings): PrepareJob {
  return {
    folder: appFolderOf(app.app_id),
    release: wantedRelease(app),
    attempt,
    source: sourceOf(app, settings),
    build: buildOf(app, settings),
    log: buildLogOf(app.app_id),
  };
}

function sourceOf(app: AppSpec, { gitAllowedNetworks }: DeploySettings): Source {
  const { release } = app;
  if (release === null) return installers[app.installer](app);
  if (release.source === 'zip') return { kind: 'zip' };
  return {
    kind: 'git',
    repository: release.git_repository,
    branch: release.git_branch,
    deployKey: release.git_deploy_key,
    allowedNetworks: gitAllowedNetworks,
  };
}

/** What is deployed to a Node.js app is built; what an installer makes is ready as it is. */
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
