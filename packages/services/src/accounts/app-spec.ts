import type { SpecRecord } from '@innkeeper/db';
import type { AppSpec, ReleaseSpec } from '@innkeeper/protocol';
import type { Sealer } from '../secrets/sealer.ts';

/** Records that belong to an app, and the other records in the account's spec. An app refers only to those. */
interface Related {
  variables: readonly SpecRecord<'app_env_vars'>[];
  /** The wanted release. */
  release: SpecRecord<'app_releases'> | undefined;
  domains: readonly { id: number }[] | undefined;
  databases: readonly { id: number }[] | undefined;
}

/** An app as its node must know it, with its secrets in plain text. */
export function appSpec(
  sealer: Sealer,
  app: SpecRecord<'apps'>,
  { variables, release, domains, databases }: Related,
): AppSpec {
  return {
    app_id: app.id,
    template_key: app.template_key,
    runtime: app.runtime,
    installer: app.installer,
    desired_state: app.state === 'removing' ? 'absent' : app.state,
    domain_id: present(app.domain_id, domains),
    database_id: present(app.database_id, databases),
    node_version: app.node_version,
    start_command: app.start_command ?? '',
    env: variables.map(({ name, value, sealed_value }) => ({
      name,
      value: sealed_value === null ? (value ?? '') : sealer.open('app-variable', sealed_value),
      is_secret: sealed_value !== null,
    })),
    retries: app.retries,
    release: release === undefined ? null : releaseSpec(sealer, app, release),
  };
}

function present(id: number | null, records: readonly { id: number }[] = []): number | null {
  return records.some((record) => record.id === id) ? id : null;
}

function releaseSpec(
  sealer: Sealer,
  { git_repository, git_branch, sealed_git_deploy_key }: SpecRecord<'apps'>,
  release: SpecRecord<'app_releases'>,
): ReleaseSpec {
  const isGit = release.source === 'git';
  return {
    release_id: release.id,
    source: release.source,
    archive_sha256: release.archive_sha256 ?? '',
    archive_bytes: release.archive_bytes ?? 0,
    git_repository: isGit ? (git_repository ?? '') : '',
    git_branch: isGit ? (git_branch ?? '') : '',
    git_deploy_key:
      isGit && sealed_git_deploy_key !== null ? sealer.open('deploy-key', sealed_git_deploy_key) : '',
  };
}
