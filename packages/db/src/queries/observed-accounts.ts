import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { CronJobsTable, Database, DatabasesTable, DomainsTable } from '../schema/index.ts';
import type { AccountRow } from './accounts.ts';
import { addToCounts } from './record-counts.ts';

const domainsInOneStatement = 500;

/**
 * The accounts of a node whose newest generation it has not reported, ordered by id. Reads an index range of (node_id,
 * pending, id), regardless of the node's other accounts.
 */
export async function findPendingAccounts(
  db: Kysely<Database>,
  page: { node_id: number; after_account_id: number; limit: number },
): Promise<AccountRow[]> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('node_id', '=', page.node_id)
    .where('pending', '=', 1)
    .where('id', '>', page.after_account_id)
    .orderBy('id')
    .limit(page.limit)
    .execute();
}

/** Locks and returns the account if it is on this node. */
export async function lockAccountOfNode(
  trx: Transaction<Database>,
  accountId: number,
  nodeId: number,
): Promise<AccountRow | undefined> {
  const row = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return row?.node_id === nodeId ? row : undefined;
}

/** Makes every account of a node pending. Everything that the node has reported is invalid. */
export async function forgetObservations(trx: Transaction<Database>, nodeId: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ observed_generation: 0 })
    .where('node_id', '=', nodeId)
    .where('observed_generation', '>', 0)
    .execute();
}

export async function storeConditions(
  trx: Transaction<Database>,
  accountId: number,
  observed: { conditions: string; observed_at: Date },
): Promise<void> {
  await trx.updateTable('accounts').set(observed).where('id', '=', accountId).execute();
}

export async function storeObservation(
  trx: Transaction<Database>,
  accountId: number,
  observed: {
    observed_generation: number;
    outcome: 'applied' | 'failed';
    conditions: string;
    observed_at: Date;
    first_applied_at: Date | null;
  },
): Promise<void> {
  await trx.updateTable('accounts').set(observed).where('id', '=', accountId).execute();
}

export type ObservedDomain = Pick<
  Selectable<DomainsTable>,
  | 'id'
  | 'domain_name'
  | 'state'
  | 'status'
  | 'status_reason'
  | 'certificate_revision'
  | 'ssl_status'
  | 'ssl_issuer'
  | 'ssl_expires_at'
  | 'ssl_issued_at'
  | 'ssl_error'
>;

export async function findObservedDomains(
  trx: Transaction<Database>,
  accountId: number,
): Promise<ObservedDomain[]> {
  return trx
    .selectFrom('domains')
    .select(['id', 'domain_name', 'state', 'status', 'status_reason'])
    .select([
      'certificate_revision',
      'ssl_status',
      'ssl_issuer',
      'ssl_expires_at',
      'ssl_issued_at',
      'ssl_error',
    ])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

export interface DomainStatusChange {
  id: number;
  status: DomainsTable['status'];
  status_reason: string | null;
}

/** Stores the changed domains of an account, some hundred per statement. */
export async function storeDomainStatuses(
  trx: Transaction<Database>,
  accountId: number,
  changes: readonly DomainStatusChange[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < changes.length; start += domainsInOneStatement) {
    const batch = changes.slice(start, start + domainsInOneStatement);
    const newValue = <C extends 'status' | 'status_reason'>(column: C) =>
      sql<DomainStatusChange[C]>`case id ${sql.join(
        batch.map((change) => sql`when ${change.id} then ${change[column]}`),
        sql` `,
      )} end`;
    await trx
      .updateTable('domains')
      .set({ status: newValue('status'), status_reason: newValue('status_reason'), updated_at: now })
      .where('account_id', '=', accountId)
      .where(
        'id',
        'in',
        batch.map((change) => change.id),
      )
      .execute();
  }
}

export async function deleteGoneDomains(
  trx: Transaction<Database>,
  accountId: number,
  domainIds: readonly number[],
): Promise<void> {
  for (let start = 0; start < domainIds.length; start += domainsInOneStatement)
    await trx
      .deleteFrom('domains')
      .where('account_id', '=', accountId)
      .where('id', 'in', domainIds.slice(start, start + domainsInOneStatement))
      .execute();
}

const childTables = [
  'domains',
  'release_archive_chunks',
  'app_releases',
  'app_env_vars',
  'apps',
  'database_allowed_ips',
  'databases',
  'cron_jobs',
  'usage_snapshots',
  'bandwidth_monthly',
] as const satisfies (keyof Database)[];

/**
 * Deletes all rows of an account: its records, its name, its end user and the account itself. The caller has locked it.
 */
export async function deleteAccountRows(trx: Transaction<Database>, account: AccountRow): Promise<void> {
  for (const child of childTables) await trx.deleteFrom(child).where('account_id', '=', account.id).execute();
  await trx.deleteFrom('accounts').where('id', '=', account.id).execute();
  await trx
    .deleteFrom('usernames')
    .where('username', '=', account.username)
    .where('user_id', '=', account.user_id)
    .execute();
  await trx.deleteFrom('sessions').where('user_id', '=', account.user_id).execute();
  await trx.deleteFrom('recovery_codes').where('user_id', '=', account.user_id).execute();
  await trx.deleteFrom('users').where('id', '=', account.user_id).where('role', '=', 'user').execute();
  await addToCounts(trx, account, -1);
}

/** The domains of these accounts, including tombstones, ordered by account and id. One SQL statement. */
export async function findDomainsOfAccounts(
  db: Kysely<Database>,
  accountIds: readonly number[],
): Promise<
  Pick<
    Selectable<DomainsTable>,
    | 'id'
    | 'account_id'
    | 'domain_name'
    | 'is_primary'
    | 'state'
    | 'certificate_revision'
    | 'certificate_email'
  >[]
> {
  if (accountIds.length === 0) return [];
  return db
    .selectFrom('domains')
    .select([
      'id',
      'account_id',
      'domain_name',
      'is_primary',
      'state',
      'certificate_revision',
      'certificate_email',
    ])
    .where('account_id', 'in', accountIds)
    .orderBy('account_id')
    .orderBy('id')
    .execute();
}

/**
 * The databases of these accounts, including tombstones, ordered by account and id, with their allowed addresses. Two
 * SQL statements.
 */
export async function findDatabasesOfAccounts(
  db: Kysely<Database>,
  accountIds: readonly number[],
): Promise<(Selectable<DatabasesTable> & { allowed_ips: string[] })[]> {
  if (accountIds.length === 0) return [];
  const databases = await db
    .selectFrom('databases')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .orderBy('account_id')
    .orderBy('id')
    .execute();
  if (databases.length === 0) return [];
  const addresses = await db
    .selectFrom('database_allowed_ips')
    .select(['database_id', 'ip'])
    .where('account_id', 'in', accountIds)
    .orderBy('id')
    .execute();
  const byDatabase = Map.groupBy(addresses, ({ database_id }) => database_id);
  return databases.map((database) => ({
    ...database,
    allowed_ips: (byDatabase.get(database.id) ?? []).map(({ ip }) => ip),
  }));
}

/** The cron jobs of these accounts, ordered by account and id. One SQL statement. */
export async function findCronJobsOfAccounts(
  db: Kysely<Database>,
  accountIds: readonly number[],
): Promise<Selectable<CronJobsTable>[]> {
  if (accountIds.length === 0) return [];
  return db
    .selectFrom('cron_jobs')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .orderBy('account_id')
    .orderBy('id')
    .execute();
}
