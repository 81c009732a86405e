import { DomainError } from '@innkeeper/domain';
import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { Database, DatabasesTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';
import { pageOf, type RecordPage, recordsIn, withTotal } from './record-page.ts';
import { type Scope, within } from './scope.ts';

type DatabaseRow = Selectable<DatabasesTable>;

/** A database joined with its account, with its allowed addresses in the order in which they were added. */
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
  'database_allowed_ips.ip as allowed_ip',
] as const;

/** Throws `not_found` for a database that does not exist or is outside the scope. */
export async function getDatabaseDetails(
  db: Kysely<Database>,
  scope: Scope,
  databaseId: number,
): Promise<DatabaseDetails> {
  let query = db
    .selectFrom('databases')
    .innerJoin('accounts', 'accounts.id', 'databases.account_id')
    .leftJoin('database_allowed_ips', 'database_allowed_ips.database_id', 'databases.id')
    .select(columns)
    .where('databases.id', '=', databaseId)
    .orderBy('database_allowed_ips.id');
  if (scope !== 'all') query = query.where(...within(scope));
  const [database] = foldAllowedIps(await query.execute());
  if (database === undefined) throw new DomainError('not_found', `There is no database ${databaseId}.`);
  return database;
}

/** The sealed password of a database in the scope. Throws `not_found` like `getDatabaseDetails`. */
export async function getSealedPassword(
  db: Kysely<Database>,
  scope: Scope,
  databaseId: number,
): Promise<Pick<DatabaseRow, 'account_id' | 'db_name' | 'state' | 'sealed_password'>> {
  let query = db
    .selectFrom('databases')
    .innerJoin('accounts', 'accounts.id', 'databases.account_id')
    .select(['databases.account_id', 'databases.db_name', 'databases.state', 'databases.sealed_password'])
    .where('databases.id', '=', databaseId);
  if (scope !== 'all') query = query.where(...within(scope));
  const row = await query.executeTakeFirst();
  if (row === undefined) throw new DomainError('not_found', `There is no database ${databaseId}.`);
  return row;
}

/** One page of databases, ordered by id, and the total. */
export async function findDatabasePage(
  db: Kysely<Database>,
  scope: Scope,
  page: RecordPage,
): Promise<{ rows: DatabaseDetails[]; total: number }> {
  const { ids, total } = pageOf(recordsIn(db, 'databases', scope, page), page);
  const rows = await db
    .selectFrom(ids)
    .innerJoin('databases', 'databases.id', 'page.id')
    .innerJoin('accounts', 'accounts.id', 'databases.account_id')
    .leftJoin('database_allowed_ips', 'database_allowed_ips.database_id', 'databases.id')
    .select(columns)
    .select(total.$asScalar().$notNull().as('total'))
    .orderBy('databases.id')
    .orderBy('database_allowed_ips.id')
    .execute();
  return withTotal(foldAllowedIps(rows), page, () => total.executeTakeFirstOrThrow());
}

/** Merges one row per address into one row per database. */
function foldAllowedIps<Row extends { id: number; allowed_ip: string | null }>(
  rows: readonly Row[],
): (Omit<Row, 'allowed_ip'> & { allowed_ips: string[] })[] {
  const byDatabase = Map.groupBy(rows, ({ id }) => id);
  return [...byDatabase.values()].flatMap((group) =>
    group.slice(0, 1).map(({ allowed_ip: _, ...row }) => ({
      ...row,
      allowed_ips: group.flatMap(({ allowed_ip }) => (allowed_ip === null ? [] : [allowed_ip])),
    })),
  );
}

/** Returns the new database's id. Undefined if another database of the fleet has the name. */
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
export interface DatabaseApp {
  database_id: number;
  id: number;
  name: string;
  /** Null: the app has no domain. */
  domain_name: string | null;
}

/** The apps that these databases belong to. */
export async function findDatabaseApps(
  db: Kysely<Database>,
  scope: Scope,
  databaseIds: readonly number[],
): Promise<DatabaseApp[]> {
  if (databaseIds.length === 0) return [];
  let query = db
    .selectFrom('databases')
    .innerJoin('accounts', 'accounts.id', 'databases.account_id')
    .innerJoin('apps', 'apps.id', 'databases.app_id')
    .leftJoin('domains', 'domains.id', 'apps.domain_id')
    .select(['databases.id as database_id', 'apps.id', 'apps.name', 'domains.domain_name'])
    .where('databases.id', 'in', databaseIds);
  if (scope !== 'all') query = query.where(...within(scope));
  return await query.execute();
}

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
