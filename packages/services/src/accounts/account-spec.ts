import {
  type AccountRow,
  type Database,
  findAppsOfAccounts,
  findCronJobsOfAccounts,
  findDatabasesOfAccounts,
  findDomainsOfAccounts,
  findPackagesWithSmtp,
} from '@innkeeper/db';
import { type AccountState, nodeLimitsOf, uidForAccountId } from '@innkeeper/domain';
import type { AccountSpec, DesiredState } from '@innkeeper/protocol';
import type { Kysely } from 'kysely';
import type { Sealer } from '../secrets/sealer.ts';
import { appSpec } from './app-spec.ts';

const desiredStates: Record<AccountState, DesiredState> = {
  active: 'active',
  suspended: 'suspended',
  terminating: 'absent',
};

/**
 * Returns the specs of these accounts, in the order of the rows: everything that a node must know to make the accounts
 * true. One SQL statement for each kind of record. An agent rejects a generation that it already has with different
 * content. So read rows and specs from one snapshot, and raise the generation in every write that changes any part of a
 * spec.
 */
export async function accountSpecsFor(
  db: Kysely<Database>,
  sealer: Sealer,
  accounts: readonly AccountRow[],
): Promise<AccountSpec[]> {
  const ids = accounts.map((account) => account.id);
  const domains = byAccount(await findDomainsOfAccounts(db, ids));
  const databases = byAccount(await findDatabasesOfAccounts(db, ids));
  const apps = byAccount(await findAppsOfAccounts(db, ids));
  const cronJobs = byAccount(await findCronJobsOfAccounts(db, ids));
  const packages = accounts.map(({ package_id }) => package_id);
  const withSmtp = new Set(await findPackagesWithSmtp(db, packages));
  return accounts.map((account) => ({
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
      certificate_email: domain.certificate_email ?? '',
    })),
    databases: (databases.get(account.id) ?? []).map((database) => ({
      database_id: database.id,
      db_name: database.db_name,
      password: sealer.open('database-password', database.sealed_password),
      password_revision: database.password_revision,
      allowed_ips: database.allowed_ips,
      desired_state: database.state === 'removing' ? 'absent' : 'active',
    })),
    cron_jobs: (cronJobs.get(account.id) ?? []).map((job) => ({
      cron_job_id: job.id,
      schedule: job.schedule,
      command: job.command,
      enabled: job.enabled === 1,
    })),
    creation_id: account.creation_id,
    smtp_port_25: withSmtp.has(account.package_id),
    apps: (apps.get(account.id) ?? []).map((app) =>
      appSpec(sealer, app, { domains: domains.get(account.id), databases: databases.get(account.id) }),
    ),
  }));
}

function byAccount<Row extends { account_id: number }>(rows: Row[]): Map<number, Row[]> {
  return Map.groupBy(rows, (row) => row.account_id);
}
