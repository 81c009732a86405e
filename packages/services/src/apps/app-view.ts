import type { AppListItem, AppView } from '@innkeeper/contract';
import type { AppDetails } from '@innkeeper/db';
import { appDeployRoot } from '@innkeeper/domain';
import { type AppTemplates, templateName } from './app-templates.ts';

export function appListItem(templates: AppTemplates, app: AppDetails): AppListItem {
  const { domain_id, domain_name } = app;
  return {
    id: app.id,
    hosting_account_id: app.account_id,
    name: app.name,
    template_key: app.template_key,
    template_name: templateName(templates, app.template_key),
    status: app.state === 'removing' ? 'removing' : app.status,
    status_reason: app.status_reason,
    ...(domain_id === null || domain_name === null ? {} : { domain: { id: domain_id, domain_name } }),
    created_at: app.created_at,
    updated_at: app.updated_at,
  };
}

export function appView(
  templates: AppTemplates,
  app: AppDetails,
  variables: readonly { id: number; name: string; value: string | null }[],
): AppView {
  const { release_id, release_source, release_created_at, git_repository, git_branch } = app;
  return {
    ...appListItem(templates, app),
    node_version: app.node_version,
    start_command: app.start_command,
    deploy_root: appDeployRoot(app.account_linux_user, app),
    release:
      release_id === null || release_source === null || release_created_at === null
        ? null
        : { id: release_id, source: release_source, created_at: release_created_at },
    last_error: app.status_reason,
    git: git_repository === null ? null : { repository: git_repository, branch: git_branch ?? 'main' },
    env_vars: variables.map(({ id, name, value }) => ({ id, key: name, value, is_secret: value === null })),
  };
}
