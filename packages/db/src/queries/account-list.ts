import type { Kysely } from 'kysely';
import type { AccountsTable, Database } from '../schema/index.ts';
import type { Scope } from './accounts.ts';
import { countOf } from './record-counts.ts';

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
 * A page of accounts by ascending id, and how many there are: one statement, and another one for a page past
 * the end. The page's ids are found in an index before anything is joined, so that a late page costs its
 * offset in index entries.
 */
export async function findAccountPage(
  db: Kysely<Database>,
  scope: Scope,
  page: { username?: string | undefined; offset: number; limit: number },
): Promise<{ rows: AccountListRow[]; total: number }> {
  let chosen = db.selectFrom('accounts');
  if (scope !== 'all') chosen = chosen.where('reseller_user_id', '=', scope.resellerUserId);
  if (page.username !== undefined) chosen = chosen.where('username', '=', page.username);
  const total =
    page.username === undefined
      ? countOf(db, 'accounts', scope)
      : chosen.select((eb) => eb.fn.countAll<number>().as('total'));

  const ids = chosen.select('id').orderBy('id').limit(page.limit).offset(page.offset).as('page');
  const rows = await db
    .selectFrom(ids)
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
    .select(total.$asScalar().$notNull().as('total'))
    .orderBy('accounts.id')
    .execute();
  const first = rows[0];
  return { rows, total: first === undefined ? (await total.executeTakeFirstOrThrow()).total : first.total };
}
