import type { AccountOrder, AccountState } from '@innkeeper/domain';
import { type Expression, expressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { Database } from '../schema/index.ts';
import { type AccountListRow, type AccountOrdering, accountsOfPage } from './account-list.ts';
import { prefixPattern } from './prefix-pattern.ts';
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

/** Characters of usernames and domain names. Other texts are not compared with names in the database. */
const NAME = /^[a-z0-9_.-]+$/;

/**
 * The accounts whose username, email address or one of whose domains starts with a text, at most `limit`, ordered by
 * id. Each of the three is a range of its own index, read until there are enough rows. `text`: lowercase.
 */
export async function findAccountsByPrefix(
  db: Kysely<Database>,
  scope: OperatorScope,
  choice: AccountChoice,
  { text, limit }: { text: string; limit: number },
): Promise<AccountListRow[]> {
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
  const found = await Promise.all(queries.map((query) => query.execute()));
  const ids = [...new Set(found.flat().map(({ id }) => id))].sort((a, b) => a - b).slice(0, limit);
  if (ids.length === 0) return [];
  return await accountsOfPage(db, db.selectFrom('accounts').select('id').where('id', 'in', ids)).execute();
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
