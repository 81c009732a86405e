import type { SpecRecords } from '@innkeeper/db';
import { type AccountState, nodeLimitsOf, uidForAccountId } from '@innkeeper/domain';
import type { AccountSpec, DesiredState } from '@innkeeper/protocol';
import { siteSpec } from '../domains/site-spec.ts';
import { keyLinesOf } from '../ftp-logins/ftp-login-view.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { appSpec } from './app-spec.ts';

const desiredStates: Record<AccountState, DesiredState> = {
  active: 'active',
  suspended: 'suspended',
  terminating: 'absent',
};

/**
 * The specs of these accounts, in their order: everything that a node must know to make the accounts true. An agent
 * rejects a generation that it already has with different content. So the records must be of one snapshot, and every
 * write that changes any part of a spec must raise the generation.
 */
export function accountSpecs(sealer: Sealer, records: SpecRecords): AccountSpec[] {
  const domains = byAccount(records.domains);
  const databases = byAccount(records.databases);
  const addresses = Map.groupBy(records.database_allowed_ips, ({ database_id }) => database_id);
  const cronJobs = byAccount(records.cron_jobs);
  const sshKeys = byAccount(records.ssh_keys);
  const ftpLogins = byAccount(records.ftp_logins);
  const apps = byAccount(records.apps);
  const variables = Map.groupBy(records.app_env_vars, ({ app_id }) => app_id);
  const releases = new Map(records.app_releases.map((release) => [release.id, release]));
  const packages = new Map(records.packages.map((row) => [row.id, row]));
  return records.accounts.map((account) => ({
    account_id: account.id,
    generation: account.generation,
    desired_state: desiredStates[account.state],
    linux_user: account.linux_user,
    uid: account.uid ?? uidForAccountId(account.id),
    terminal_access: account.terminal_access === 1,
    password_hash: account.linux_password_hash,
    limits: nodeLimitsOf(account),
    domains: (domains.get(account.id) ?? []).map((domain) => ({
      domain_id: domain.id,
      name: domain.domain_name,
      is_primary: domain.is_primary === 1,
      desired_state: domain.state === 'removing' ? 'absent' : 'active',
      certificate_revision: domain.certificate_revision,
      alias_of: domain.alias_of,
      site: siteSpec(domain),
    })),
    databases: (databases.get(account.id) ?? []).map((database) => ({
      database_id: database.id,
      db_name: database.db_name,
      password: sealer.open('database-password', database.sealed_password),
      password_revision: database.password_revision,
      allowed_ips: (addresses.get(database.id) ?? []).map(({ ip }) => ip),
      desired_state: database.state === 'removing' ? 'absent' : 'active',
    })),
    cron_jobs: (cronJobs.get(account.id) ?? []).map((job) => ({
      cron_job_id: job.id,
      schedule: job.schedule,
      command: job.command,
      enabled: job.enabled === 1,
    })),
    ssh_keys: (sshKeys.get(account.id) ?? []).map(({ public_key }) => public_key),
    ftp_logins: (ftpLogins.get(account.id) ?? []).map(({ name, folder, password_hash, public_keys }) => ({
      name,
      folder,
      password_hash,
      public_keys: keyLinesOf(public_keys),
    })),
    creation_id: account.creation_id,
    smtp_port_25: packages.get(account.package_id)?.smtp_port_25 === 1,
    mail: {
      per_hour: packages.get(account.package_id)?.mail_per_hour ?? 0,
      per_day: packages.get(account.package_id)?.mail_per_day ?? 0,
    },
    apps: (apps.get(account.id) ?? []).map((app) =>
      appSpec(sealer, app, {
        variables: variables.get(app.id) ?? [],
        release: app.release_id === null ? undefined : releases.get(app.release_id),
        domains: domains.get(account.id),
        databases: databases.get(account.id),
      }),
    ),
  }));
}

function byAccount<Row extends { account_id: number }>(rows: Row[]): Map<number, Row[]> {
  return Map.groupBy(rows, (row) => row.account_id);
}
