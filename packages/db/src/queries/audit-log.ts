import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { AuditLogTable, Database } from '../schema/index.ts';
import { prefixPattern } from './like-pattern.ts';
import type { Scope } from './scope.ts';

type NewAuditRow = Omit<Selectable<AuditLogTable>, 'id'>;

export async function insertAuditRow(trx: Transaction<Database>, row: NewAuditRow): Promise<void> {
  await insertRow(trx, { ...row });
}

const insertRow = compileOnce((db, row: Record<keyof NewAuditRow, Date | number | string | null>) => {
  const { at, request_id, user_id, as_user_id, token_id, address, action, account_id, target, details } =
    row as NewAuditRow;
  return db
    .insertInto('audit_log')
    .values({ at, request_id, user_id, as_user_id, token_id, address, action, account_id, target, details })
    .compile();
});

/** The details (JSON) of the newest row with this action on an account. Undefined if there is none. */
export async function findAuditDetails(
  db: Kysely<Database>,
  accountId: number,
  action: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select('details')
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.details;
}

/** A row with the names for its ids. Null for records that never existed or whose name is not kept. */
export interface AuditRow extends Selectable<AuditLogTable> {
  account_exists: SqlBool;
  username: string | null;
  as_username: string | null;
  token_name: string | null;
  account_username: string | null;
}

export interface AuditFilter {
  account_id?: number | undefined;
  user_id?: number | undefined;
  /** Prefix of the action: `account.` or `account.suspend`. */
  action?: string | undefined;
  since?: Date | undefined;
  /** Only rows before this time. */
  until?: Date | undefined;
  /** Only rows with a lower id. */
  before_id?: number | undefined;
}

/**
 * The newest rows that match a filter. An admin sees all rows, a reseller those of its accounts and its own actions, an
 * end user those of its account. Rows are read from the newest backwards in the index of the filter (account, user,
 * time, otherwise the id) until there are enough. So a page costs only the rows that it shows. Only a filter for a rare
 * action reads all newer rows. A reseller's accounts are one index range each, so a reseller's page costs all their
 * rows.
 */
export async function findAuditRows(
  db: Kysely<Database>,
  scope: Scope,
  filter: AuditFilter,
  limit: number,
): Promise<AuditRow[]> {
  const chosen = () => {
    let rows = db.selectFrom('audit_log').select('id').orderBy('id', 'desc').limit(limit);
    if (filter.account_id !== undefined) rows = rows.where('account_id', '=', filter.account_id);
    if (filter.user_id !== undefined) rows = rows.where('user_id', '=', filter.user_id);
    if (filter.action !== undefined) rows = rows.where('action', 'like', prefixPattern(filter.action));
    if (filter.since !== undefined) rows = rows.where('at', '>=', filter.since);
    if (filter.until !== undefined) rows = rows.where('at', '<', filter.until);
    return filter.before_id === undefined ? rows : rows.where('id', '<', filter.before_id);
  };
  if (scope === 'all') return await auditRowsOf(db, await idsOf(chosen()), limit);
  if ('accountId' in scope)
    return await auditRowsOf(db, await idsOf(chosen().where('account_id', '=', scope.accountId)), limit);
  const [acts, concerning] = await Promise.all([
    idsOf(chosen().where('user_id', '=', scope.resellerUserId)),
    idsOf(
      chosen().where('account_id', 'in', (eb) =>
        eb.selectFrom('accounts').select('id').where('reseller_user_id', '=', scope.resellerUserId),
      ),
    ),
  ]);
  return await auditRowsOf(db, [...acts, ...concerning], limit);
}

async function idsOf(query: { execute(): Promise<{ id: number }[]> }): Promise<number[]> {
  return (await query.execute()).map(({ id }) => id);
}

async function auditRowsOf(db: Kysely<Database>, ids: readonly number[], limit: number): Promise<AuditRow[]> {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.user_id')
    .leftJoin('users as customers', 'customers.id', 'audit_log.as_user_id')
    .leftJoin('api_tokens', 'api_tokens.id', 'audit_log.token_id')
    .leftJoin('accounts', 'accounts.id', 'audit_log.account_id')
    .leftJoin('former_accounts', 'former_accounts.id', 'audit_log.account_id')
    .leftJoin('former_accounts as formers', 'formers.user_id', 'audit_log.user_id')
    .leftJoin('former_accounts as former_customers', 'former_customers.user_id', 'audit_log.as_user_id')
    .selectAll('audit_log')
    .select('api_tokens.name as token_name')
    .select((eb) => [
      eb.fn.coalesce('users.username', 'formers.username').as('username'),
      eb.fn.coalesce('customers.username', 'former_customers.username').as('as_username'),
      eb.fn.coalesce('accounts.username', 'former_accounts.username').as('account_username'),
      eb('accounts.id', 'is not', null).as('account_exists'),
    ])
    .where('audit_log.id', 'in', ids)
    .orderBy('audit_log.id', 'desc')
    .limit(limit)
    .execute();
}

/** Number of older rows. Reads one index range. */
export async function countAuditRowsBefore(db: Kysely<Database>, before: Date): Promise<number> {
  const { count } = await db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('at', '<', before)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the oldest rows before a time, at most `limit`. Returns how many. */
export async function deleteAuditRowsBefore(
  db: Kysely<Database>,
  before: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from audit_log where at < ${before} order by at limit ${sql.lit(limit)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The newest removed account that had this name. */
export async function findFormerAccount(
  db: Kysely<Database>,
  username: string,
): Promise<{ id: number; user_id: number } | undefined> {
  return await db
    .selectFrom('former_accounts')
    .select(['id', 'user_id'])
    .where('username', '=', username)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Deletes the names of accounts that were removed before a time, at most `limit`. Returns how many. */
export async function deleteFormerAccountsBefore(
  db: Kysely<Database>,
  before: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from former_accounts where removed_at < ${before} order by removed_at limit ${sql.lit(limit)}`.execute(
      db,
    );
  return Number(numAffectedRows ?? 0);
}
