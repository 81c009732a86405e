import type { AccountOrder, AccountState } from '@innkeeper/domain';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../schema/index.ts';
import { type AccountListRow, type AccountOrdering, accountsOfPage } from './account-list.ts';
import { prefixPattern, substringPattern } from './like-pattern.ts';
import { type OperatorScope, within } from './scope.ts';
import { comparableEmail } from './users.ts';

/** Filter for accounts. */
export interface AccountChoice {
  /** Only these accounts. */
  ids?: readonly number[] | undefined;
  state?: AccountState | undefined;
  package_id?: number | undefined;
  node_id?: number | undefined;
  /** Null: accounts that no reseller manages. */
  reseller_user_id?: number | null | undefined;
}

/** One page of the accounts that match the filter, without a total. The ids are read from an index of the order. */
export async function findChosenAccounts(
  db: Kysely<Database>,
  scope: OperatorScope,
  choice: AccountChoice,
  { order, offset, limit }: { order: AccountOrder; offset: number; limit: number },
): Promise<AccountListRow[]> {
  const [column, direction] = orderBy[order];
  const chosen = db
    .selectFrom('accounts')
    .select('id')
    .where(isChosen(scope, choice))
    .orderBy(column, direction)
    .limit(limit)
    .offset(offset);
  return await accountsOfPage(db, chosen, orderBy[order]).execute();
}

const orderBy = {
  oldest: ['accounts.id', 'asc'],
  newest: ['accounts.id', 'desc'],
  username: ['accounts.username', 'asc'],
} as const satisfies Record<AccountOrder, AccountOrdering>;

/**
 * The next accounts that match the filter with an id above `afterId`, ordered by id. The cost does not grow with the
 * number of accounts before.
 */
export async function findChosenAccountsAfter(
  db: Kysely<Database>,
  scope: OperatorScope,
  choice: AccountChoice,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<AccountListRow[]> {
  const chosen = db
    .selectFrom('accounts')
    .select('id')
    .where(isChosen(scope, choice))
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit);
  return await accountsOfPage(db, chosen).execute();
}

/** The number of accounts in the scope that match the filter and are not being removed. Reads an index of the filter. */
export async function countChosenAccounts(
  db: Kysely<Database>,
  scope: OperatorScope,
  choice: AccountChoice,
): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(isChosen(scope, choice))
    .where('accounts.state', '!=', 'terminating')
    .executeTakeFirstOrThrow();
  return count;
}

/** Characters of usernames and domain names. Other texts are not compared with them. */
const NAME = /^[a-z0-9_.-]+$/;

/** A shorter text is in nearly every name. */
const SUBSTRING_MIN_CHARACTERS = 2;

/** Maximum number of names that contain a text and are looked at. */
const CANDIDATES = 2_000;

interface TextSearch {
  /** Lowercase. */
  text: string;
  limit: number;
}

/**
 * The accounts that a text finds, at most `limit`. First those whose username, email address or one of whose domains
 * starts with it; then those whose username, contact name, email address or one of whose domains contains it. Each part is ordered by
 * id. The second part reads all names, so it is left out if the first one fills the limit. `isCut`: there may be more.
 */
export async function findAccountsByText(
  db: Kysely<Database>,
  scope: OperatorScope,
  choice: AccountChoice,
  search: TextSearch,
): Promise<{ rows: AccountListRow[]; isCut: boolean }> {
  const { text, limit } = search;
  const starting = await findByPrefix(db, scope, choice, search);
  const isFull = starting.length >= limit || text.length < SUBSTRING_MIN_CHARACTERS;
  const containing = isFull ? { ids: [], isCut: false } : await findBySubstring(db, scope, choice, search);
  const ids = [...new Set([...starting, ...containing.ids])].slice(0, limit);
  if (ids.length === 0) return { rows: [], isCut: containing.isCut };
  const places = new Map(ids.map((id, place) => [id, place]));
  const chosen = db.selectFrom('accounts').select('id').where('id', 'in', ids);
  const rows = await accountsOfPage(db, chosen).execute();
  rows.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
  return { rows, isCut: containing.isCut };
}

/** Each of the three is a range of its own index, read until there are enough rows. */
async function findByPrefix(
  db: Kysely<Database>,
  scope: OperatorScope,
  choice: AccountChoice,
  { text, limit }: TextSearch,
): Promise<number[]> {
  const condition = isChosen(scope, choice);
  const pattern = prefixPattern(text);
  const byEmail = db
    .selectFrom('users')
    .innerJoin('accounts', (join) =>
      join.onRef('accounts.username', '=', 'users.username').onRef('accounts.user_id', '=', 'users.id'),
    )
    .select('accounts.id')
    .where('users.email_lower', 'like', prefixPattern(comparableEmail(text)))
    .where(condition)
    .orderBy('users.email_lower')
    .limit(limit);
  const byUsername = db
    .selectFrom('accounts')
    .select('accounts.id')
    .where('accounts.username', 'like', pattern)
    .where(condition)
    .orderBy('accounts.username')
    .limit(limit);
  const byDomain = db
    .selectFrom('domains')
    .innerJoin('accounts', 'accounts.id', 'domains.account_id')
    .select('accounts.id')
    .where('domains.domain_name', 'like', pattern)
    .where('domains.state', '=', 'active')
    .where(condition)
    .orderBy('domains.domain_name')
    .limit(limit);
  const queries = NAME.test(text) ? [byUsername, byEmail, byDomain] : [byEmail];
  return await idsOf(queries, limit);
}

/**
 * The names are read from their indexes, without the filter: with it, the database would read the much larger rows. The
 * accounts of a reseller are few, so their rows are read.
 */
async function findBySubstring(
  db: Kysely<Database>,
  scope: OperatorScope,
  choice: AccountChoice,
  { text, limit }: TextSearch,
): Promise<{ ids: number[]; isCut: boolean }> {
  const pattern = substringPattern(text);
  const inScope = isChosen(scope, {});
  const accounts = db.selectFrom('accounts').select('accounts.id').where(inScope).limit(CANDIDATES);
  const byName = accounts.where(sql<SqlBool>`accounts.name collate utf8mb4_general_ci like ${pattern}`);
  const byUsername = accounts.where('accounts.username', 'like', pattern);
  const domains = db
    .selectFrom('domains')
    .select('domains.account_id as id')
    .where('domains.domain_name', 'like', pattern)
    .where('domains.state', '=', 'active')
    .limit(CANDIDATES);
  const byDomain =
    scope === 'all'
      ? domains
      : domains.innerJoin('accounts', 'accounts.id', 'domains.account_id').where(inScope);
  const byEmail = ofUsers(db, scope, substringPattern(comparableEmail(text)));
  const found = await Promise.all(
    (NAME.test(text) ? [byUsername, byName, byDomain, byEmail] : [byName, byEmail]).map((query) =>
      query.execute(),
    ),
  );
  const candidates = [...new Set(found.flat().map(({ id }) => id))];
  const isCut = found.some(({ length }) => length === CANDIDATES);
  if (candidates.length === 0) return { ids: [], isCut };
  const chosen = db
    .selectFrom('accounts')
    .select('accounts.id')
    .where('accounts.id', 'in', candidates)
    .where(isChosen(scope, choice))
    .orderBy('accounts.id')
    .limit(limit);
  return { ids: await idsOf([chosen], limit), isCut };
}

/** The accounts of users whose address matches. Of all accounts, the addresses are read from their index first. */
function ofUsers(db: Kysely<Database>, scope: OperatorScope, pattern: string) {
  const users = db
    .selectFrom('users')
    .select(['users.id', 'users.username'])
    .where('users.email_lower', 'like', pattern)
    .$if(scope === 'all', (query) => query.limit(CANDIDATES));
  return db
    .selectFrom('accounts')
    .innerJoin(users.as('found'), (join) =>
      join.onRef('found.username', '=', 'accounts.username').onRef('found.id', '=', 'accounts.user_id'),
    )
    .select('accounts.id')
    .where(isChosen(scope, {}))
    .limit(CANDIDATES);
}

async function idsOf(
  queries: readonly { execute(): Promise<{ id: number }[]> }[],
  limit: number,
): Promise<number[]> {
  const found = await Promise.all(queries.map((query) => query.execute()));
  return [...new Set(found.flat().map(({ id }) => id))].sort((a, b) => a - b).slice(0, limit);
}

/** The accounts in the scope that match the filter. */
export function isChosen(scope: OperatorScope, choice: AccountChoice): Expression<SqlBool> {
  const { ids, state, package_id, node_id, reseller_user_id } = choice;
  const eb = expressionBuilder<Database, 'accounts'>();
  return eb.and([
    ...(scope === 'all' ? [] : [eb(...within(scope))]),
    ...(ids === undefined ? [] : [eb('accounts.id', 'in', [...ids, 0])]),
    ...(state === undefined ? [] : [eb('accounts.state', '=', state)]),
    ...(package_id === undefined ? [] : [eb('accounts.package_id', '=', package_id)]),
    ...(node_id === undefined ? [] : [eb('accounts.node_id', '=', node_id)]),
    ...(reseller_user_id === undefined
      ? []
      : [eb('accounts.reseller_user_id', reseller_user_id === null ? 'is' : '=', reseller_user_id)]),
  ]);
}
