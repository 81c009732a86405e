import { type AccountLimits, type AccountState, DomainError, limitNames } from '@innkeeper/domain';
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { AccountsTable, Database } from '../schema/index.ts';
import { addToDay } from './account-days.ts';
import { addToCounts, type CountedAccount, movesCounts } from './record-counts.ts';
import { type Scope, within } from './scope.ts';

export type AccountRow = Selectable<AccountsTable>;

/** The columns that views show. Excludes the columns that only the node needs, which are most of the row. */
const shownColumns = [
  'id',
  'username',
  'name',
  'email',
  'state',
  'package_id',
  'node_id',
  'linux_user',
  ...limitNames,
  'terminal_access',
  'generation',
  'observed_generation',
  'outcome',
  'created_at',
  'updated_at',
] as const satisfies (keyof AccountRow)[];

/** An account joined with its package and node, its domains and its number of apps. */
export interface AccountDetails extends Pick<AccountRow, (typeof shownColumns)[number]> {
  package_name: string;
  package_disk_mb: number;
  node_name: string;
  apps_count: number;
  /** Domains that are not being removed, oldest first. */
  domains: AccountDomain[];
}

export interface AccountDomain {
  id: number;
  domain_name: string;
  is_primary: number;
}

/**
 * The account's own query returns at most this many domains. Even with names of maximum length they fit into every
 * server's limits.
 */
const EMBEDDED_DOMAINS = 1_000;

/** One SQL statement; two for an account with more than 1,000 domains. Throws `not_found` like `lockAccount`. */
export async function getAccountDetails(
  db: Kysely<Database>,
  scope: Scope,
  accountId: number,
): Promise<AccountDetails> {
  const rows = await accountRows(db, scope, accountId);
  const { domain_list, ...account } = rows[0] ?? notFound(accountId);
  const embedded = readDomainList(domain_list);
  const domains =
    embedded.length <= EMBEDDED_DOMAINS ? embedded : await activeDomains(db, accountId).execute();
  return { ...account, domains };
}

async function accountRows(db: Kysely<Database>, scope: Scope, accountId: number) {
  if (scope !== 'all' && 'accountId' in scope && scope.accountId !== accountId) return [];
  const { rows } =
    scope === 'all' || 'accountId' in scope
      ? await findAnyAccount(db, { accountId })
      : await findManagedAccount(db, { accountId, resellerUserId: scope.resellerUserId });
  return rows;
}

const findAnyAccount = compileOnce((db, { accountId }: { accountId: number }) =>
  accountWithDetails(db, accountId).compile(),
);
const findManagedAccount = compileOnce(
  (db, { accountId, resellerUserId }: { accountId: number; resellerUserId: number }) =>
    accountWithDetails(db, accountId).where('accounts.reseller_user_id', '=', resellerUserId).compile(),
);

function accountWithDetails(db: Kysely<Database>, accountId: number) {
  const appsCount = db
    .selectFrom('apps')
    .select((count) => count.fn.countAll<number>().as('n'))
    .where('apps.account_id', '=', accountId)
    .where('apps.state', '!=', 'removing');
  const domainList = db
    .selectFrom(
      activeDomains(db, accountId)
        .limit(EMBEDDED_DOMAINS + 1)
        .as('oldest'),
    )
    .select(sql<string | null>`json_arrayagg(json_array(id, domain_name, is_primary))`.as('list'));
  return db
    .selectFrom('accounts')
    .innerJoin('packages', 'packages.id', 'accounts.package_id')
    .innerJoin('nodes', 'nodes.id', 'accounts.node_id')
    .select(shownColumns.map((column) => `accounts.${column}` as const))
    .select(['packages.name as package_name', 'packages.disk_limit_mb as package_disk_mb'])
    .select('nodes.name as node_name')
    .select([appsCount.$asScalar().$notNull().as('apps_count'), domainList.$asScalar().as('domain_list')])
    .where('accounts.id', '=', accountId);
}

function activeDomains(db: Kysely<Database>, accountId: number) {
  return db
    .selectFrom('domains')
    .select(['id', 'domain_name', 'is_primary'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'active')
    .orderBy('id');
}

/** Aggregates have no order, so the list is sorted here. */
function readDomainList(list: string | null): AccountDomain[] {
  const domains: [number, string, number][] = list === null ? [] : JSON.parse(list);
  return domains
    .map(([id, domain_name, is_primary]) => ({ id, domain_name, is_primary }))
    .sort((a, b) => a.id - b.id);
}

/** Locks the account. Throws `not_found` for an account that does not exist or is outside the scope. */
export async function lockAccount(
  trx: Transaction<Database>,
  scope: Scope,
  accountId: number,
): Promise<AccountRow> {
  const { rows } =
    scope === 'all'
      ? await lockAnyAccount(trx, { accountId })
      : {
          rows: await accountToLock(trx, accountId)
            .where(...within(scope))
            .execute(),
        };
  return rows[0] ?? notFound(accountId);
}

/** Locks and returns the account. Undefined if there is none. */
export async function lockAccountRow(
  trx: Transaction<Database>,
  accountId: number,
): Promise<AccountRow | undefined> {
  return (await lockAnyAccount(trx, { accountId })).rows[0];
}

const lockAnyAccount = compileOnce((db, { accountId }: { accountId: number }) =>
  accountToLock(db, accountId).compile(),
);

function accountToLock(db: Kysely<Database>, accountId: number) {
  return db.selectFrom('accounts').selectAll().where('id', '=', accountId).forUpdate();
}

const ownedTables = {
  app: 'apps',
  'cron-job': 'cron_jobs',
  database: 'databases',
  domain: 'domains',
  'ftp-login': 'ftp_logins',
  'ssh-key': 'ssh_keys',
} as const satisfies Record<string, keyof Database>;

/** Kinds of records that belong to one account for their whole lifetime. */
export type OwnedKind = keyof typeof ownedTables;

/**
 * Locks the account that owns a record. Throws `not_found` for a record that does not exist or is outside the scope.
 */
export async function lockOwner(
  trx: Transaction<Database>,
  scope: Scope,
  kind: OwnedKind,
  id: number,
): Promise<AccountRow> {
  let query = trx
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', (eb) => eb.selectFrom(ownedTables[kind]).select('account_id').where('id', '=', id));
  if (scope !== 'all') query = query.where(...within(scope));
  const account = await query.forUpdate().executeTakeFirst();
  if (account === undefined)
    throw new DomainError('not_found', `There is no ${kind.replace('-', ' ')} ${id}.`);
  return account;
}

/** The reseller that manages the account; null for none. Throws `not_found` like `lockAccount`. */
export async function getManagingReseller(
  db: Kysely<Database>,
  scope: Scope,
  accountId: number,
): Promise<number | null> {
  let query = db.selectFrom('accounts').select('reseller_user_id').where('id', '=', accountId);
  if (scope !== 'all') query = query.where(...within(scope));
  const row = (await query.executeTakeFirst()) ?? notFound(accountId);
  return row.reseller_user_id;
}

/** Why an account is suspended; null for none, and for an account outside the scope. */
export async function findSuspensionReason(
  db: Kysely<Database>,
  scope: Scope,
  accountId: number,
): Promise<string | null> {
  let query = db.selectFrom('accounts').select('suspension_reason').where('id', '=', accountId);
  if (scope !== 'all') query = query.where(...within(scope));
  return (await query.executeTakeFirst())?.suspension_reason ?? null;
}

function notFound(accountId: number): never {
  throw new DomainError('not_found', `There is no account ${accountId}.`);
}

const ER_NO_REFERENCED_ROW = 1452;

/** Values of an account that no node has reported. */
const unobserved = {
  uid: null,
  generation: 1,
  observed_generation: 0,
  outcome: null,
  conditions: '[]',
  observed_at: null,
} as const;

/**
 * Returns the new account's id. Its uid derives from the id: set it with `setUid` in the same transaction. Throws
 * `unavailable` if its node was removed after it was chosen.
 */
export async function insertAccount(
  trx: Transaction<Database>,
  account: Omit<Insertable<AccountsTable>, keyof typeof unobserved>,
): Promise<number> {
  try {
    const { insertId } = await trx
      .insertInto('accounts')
      .values({ ...account, ...unobserved })
      .executeTakeFirstOrThrow();
    const id = Number(insertId);
    const reseller_user_id = account.reseller_user_id ?? null;
    await addToCounts(trx, { ...account, id, reseller_user_id }, 1);
    await addToDay(trx, { id, reseller_user_id }, 'created', account.created_at);
    return id;
  } catch (error) {
    if (error instanceof Error && 'errno' in error && error.errno === ER_NO_REFERENCED_ROW)
      throw new DomainError('unavailable', 'The hosting server was just removed. Try again.');
    throw error;
  }
}

export async function setUid(trx: Transaction<Database>, accountId: number, uid: number): Promise<void> {
  await trx.updateTable('accounts').set({ uid }).where('id', '=', accountId).execute();
}

/** The columns of an account that a change may set. */
export type AccountChange = Partial<AccountLimits> & {
  state?: AccountState;
  suspended_with_reseller?: 0 | 1;
  suspension_reason?: string | null;
  reseller_user_id?: number | null;
  package_id?: number;
  terminal_access?: boolean;
  linux_password_hash?: string;
};

/** Stores the change as the next generation and returns its number. The caller has locked the account's row. */
export async function storeNextGeneration(
  trx: Transaction<Database>,
  account: CountedAccount & Pick<AccountRow, 'generation'>,
  change: AccountChange,
  now: Date,
): Promise<number> {
  const generation = account.generation + 1;
  const next = { generation, updated_at: now };
  if (Object.keys(change).length === 0) await storeGeneration(trx, { id: account.id, ...next });
  else
    await trx
      .updateTable('accounts')
      .set({ ...change, ...next })
      .where('id', '=', account.id)
      .execute();
  if (movesCounts(account, change)) {
    await addToCounts(trx, account, -1);
    await addToCounts(trx, { ...account, ...change }, 1);
  }
  return generation;
}

/** For changes of an account's records, which are most changes. */
const storeGeneration = compileOnce((db, next: { id: number; generation: number; updated_at: Date }) =>
  db
    .updateTable('accounts')
    .set({ generation: next.generation, updated_at: next.updated_at })
    .where('id', '=', next.id)
    .compile(),
);
