import type { Kysely, SelectQueryBuilder } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { AccountsTable, Database } from '../schema/index.ts';
import { countOf, countScope } from './record-counts.ts';
import { withTotal } from './record-page.ts';
import { type OperatorScope, within } from './scope.ts';

export interface AccountListRow {
  id: number;
  username: string;
  email: string;
  state: AccountsTable['state'];
  created_at: Date;
  package_id: number;
  package_name: string;
  node_id: number;
  node_name: string;
  primary_domain: string | null;
}

/**
 * One page of accounts, ordered by id, and the total. One SQL statement, and a second one for a page past the end. The
 * ids of the page are read from an index before any join, so a late page costs only its offset in index entries.
 */
export async function findAccountPage(
  db: Kysely<Database>,
  scope: OperatorScope,
  { username, ...page }: { username?: string | undefined; offset: number; limit: number },
): Promise<{ rows: AccountListRow[]; total: number }> {
  const scopeId = countScope(scope);
  if (username === undefined) {
    const find = scope === 'all' ? findPageOfAll : findPageOfManaged;
    const { rows } = await find(db, { scopeId, ...page });
    return withTotal(rows, page, () => countOf(db, 'accounts', scopeId).executeTakeFirstOrThrow());
  }
  let chosen = db.selectFrom('accounts').where('username', '=', username);
  if (scope !== 'all') chosen = chosen.where(...within(scope));
  const total = chosen.select((eb) => eb.fn.countAll<number>().as('total'));
  const rows = await pageOf(db, chosen, page, total).execute();
  return withTotal(rows, page, () => total.executeTakeFirstOrThrow());
}

interface PageValues {
  /** See `countScope`. */
  scopeId: number;
  offset: number;
  limit: number;
  [name: string]: number;
}

const findPageOfAll = compileOnce((db, values: PageValues) =>
  pageOf(db, db.selectFrom('accounts'), values, countOf(db, 'accounts', values.scopeId)).compile(),
);
const findPageOfManaged = compileOnce((db, values: PageValues) => {
  const chosen = db.selectFrom('accounts').where('reseller_user_id', '=', values.scopeId);
  return pageOf(db, chosen, values, countOf(db, 'accounts', values.scopeId)).compile();
});

type Chosen = SelectQueryBuilder<Database, 'accounts', object>;
type Total = SelectQueryBuilder<Database, never, { total: number }>;

function pageOf(db: Kysely<Database>, chosen: Chosen, page: { offset: number; limit: number }, total: Total) {
  const ids = chosen.select('id').orderBy('id').limit(page.limit).offset(page.offset);
  return accountsOfPage(db, ids).select(total.$asScalar().$notNull().as('total'));
}

export type AccountOrdering = readonly ['accounts.id' | 'accounts.username', 'asc' | 'desc'];

/** The accounts with these ids, in the form that lists show. */
export function accountsOfPage(
  db: Kysely<Database>,
  ids: SelectQueryBuilder<Database, 'accounts', { id: number }>,
  [column, direction]: AccountOrdering = ['accounts.id', 'asc'],
) {
  return db
    .selectFrom(ids.as('page'))
    .innerJoin('accounts', 'accounts.id', 'page.id')
    .innerJoin('packages', 'packages.id', 'accounts.package_id')
    .innerJoin('nodes', 'nodes.id', 'accounts.node_id')
    .leftJoin('domains', (join) =>
      join
        .onRef('domains.account_id', '=', 'accounts.id')
        .on('domains.is_primary', '=', 1)
        .on('domains.state', '=', 'active'),
    )
    .select(['accounts.id', 'accounts.username', 'accounts.email', 'accounts.state', 'accounts.created_at'])
    .select(['accounts.package_id', 'packages.name as package_name'])
    .select(['accounts.node_id', 'nodes.name as node_name', 'domains.domain_name as primary_domain'])
    .orderBy(column, direction);
}
