import { DomainError } from '@innkeeper/domain';
import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { Database, DatabasesTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';
import type { Scope } from './accounts.ts';

type DatabaseRow = Selectable<DatabasesTable>;

/** A database with the account that it belongs to and the addresses that may use it, in the order they came. */
export interface DatabaseDetails extends Omit<DatabaseRow, 'sealed_password'> {
  account_username: string;
  allowed_ips: string[];
}

const columns = [
  'databases.id',
  'databases.account_id',
  'databases.name',
  'databases.db_name',
  'databases.password_revision',
  'databases.state',
  'databases.status',
  'databases.status_reason',
  'databases.app_id',
  'databases.created_at',
  'databases.updated_at',
  'accounts.username as account_username',
] as const;

/** Throws `not_found` for a database that does not exist or lies outside the scope. */
export async function getDatabaseDetails(
  db: Kysely<Database>,
  scope: Scope,
  databaseId: number,
): Promise<DatabaseDetails> {
  let query = db
    .selectFrom('databases')
    .innerJoin('accounts', 'accounts.id', 'databases.account_id')
    .select(columns)
    .where('databases.id', '=', databaseId);
  if (scope !== 'all') query = query.where('accounts.reseller_user_id', '=', scope.resellerUserId);
  const row = await query.executeTakeFirst();
  if (row === undefined) throw new DomainError('not_found', `There is no database ${databaseId}.`);
  const [database] = await withAllowedIps(db, [row]);
  return database as DatabaseDetails;
}

/** A page of databases by ascending id, as `findDomainPage` finds domains. */
export async function findDatabasePage(
  db: Kysely<Database>,
  scope: Scope,
  page: { accountId?: number | undefined; offset: number; limit: number },
): Promise<{ rows: DatabaseDetails[]; total: number }> {
  let chosen = db.selectFrom('databases');
  if (page.accountId !== undefined) chosen = chosen.where('databases.account_id', '=', page.accountId);
  if (scope !== 'all')
    chosen = chosen.where('databases.account_id', 'in', (eb) =>
      eb.selectFrom('accounts').select('id').where('reseller_user_id', '=', scope.resellerUserId),
    );
  const { total } = await chosen
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  if (total <= page.offset) return { rows: [], total };

  const ids = chosen
    .select('databases.id')
    .orderBy('databases.id')
    .limit(page.limit)
    .offset(page.offset)
    .as('page');
  const rows = await db
    .selectFrom(ids)
    .innerJoin('databases', 'databases.id', 'page.id')
    .innerJoin('accounts', 'accounts.id', 'databases.account_id')
    .select(columns)
    .orderBy('databases.id')
    .execute();
  return { rows: await withAllowedIps(db, rows), total };
}

async function withAllowedIps<Row extends { id: number }>(
  db: Kysely<Database>,
  rows: readonly Row[],
): Promise<(Row & { allowed_ips: string[] })[]> {
  if (rows.length === 0) return [];
  const addresses = await db
    .selectFrom('database_allowed_ips')
    .select(['database_id', 'ip'])
    .where(
      'database_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  const byDatabase = Map.groupBy(addresses, ({ database_id }) => database_id);
  return rows.map((row) => ({
    ...row,
    allowed_ips: (byDatabase.get(row.id) ?? []).map(({ ip }) => ip),
  }));
}

/** How many databases the account has, and how many of them it keeps. Exact only while it is locked. */
export async function countDatabases(
  trx: Transaction<Database>,
  accountId: number,
): Promise<{ all: number; kept: number }> {
  return await trx
    .selectFrom('databases')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.count<number>(eb.case().when('state', '=', 'active').then(1).end()).as('kept'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Answers the new database's id; undefined: a database of this fleet has the name. */
export async function tryInsertDatabase(
  trx: Transaction<Database>,
  database: Insertable<DatabasesTable>,
): Promise<number | undefined> {
  try {
    const { insertId } = await trx.insertInto('databases').values(database).executeTakeFirstOrThrow();
    return Number(insertId);
  } catch (error) {
    if (isUniqueViolation(error, 'databases_db_name')) return undefined;
    throw error;
  }
}

/** The caller has locked the account. */
export async function updateDatabase(
  trx: Transaction<Database>,
  databaseId: number,
  change: Updateable<DatabasesTable>,
): Promise<void> {
  await trx.updateTable('databases').set(change).where('id', '=', databaseId).execute();
}

export async function insertAllowedIp(
  trx: Transaction<Database>,
  entry: { account_id: number; database_id: number; ip: string; created_at: Date },
): Promise<void> {
  await trx.insertInto('database_allowed_ips').values(entry).execute();
}

export async function deleteAllowedIp(
  trx: Transaction<Database>,
  entry: { database_id: number; ip: string },
): Promise<void> {
  await trx
    .deleteFrom('database_allowed_ips')
    .where('database_id', '=', entry.database_id)
    .where('ip', '=', entry.ip)
    .execute();
}
