import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema/index.ts';
import { countOf, countScope } from './record-counts.ts';
import { type OperatorScope, within } from './scope.ts';

/** The newest accounts whose last report is a failure, at most `limit`. One SQL statement that reads only failing ones. */
export async function findFailingAccounts(
  db: Kysely<Database>,
  scope: OperatorScope,
  { nodeId, limit }: { nodeId: number | undefined; limit: number },
): Promise<{ id: number; username: string; node_id: number; node_name: string }[]> {
  let query = db
    .selectFrom('accounts')
    .innerJoin('nodes', 'nodes.id', 'accounts.node_id')
    .select(['accounts.id', 'accounts.username', 'accounts.node_id', 'nodes.name as node_name'])
    .where('accounts.outcome', '=', 'failed')
    .where('accounts.pending', '=', 0)
    .orderBy('accounts.id', 'desc')
    .limit(limit);
  if (scope !== 'all') query = query.where(...within(scope));
  if (nodeId !== undefined) query = query.where('accounts.node_id', '=', nodeId);
  return query.execute();
}

/** New accounts by day (UTC, `2026-11-24`) that still exist. One SQL statement that reads an index from `since` on. */
export async function findNewAccounts(
  db: Kysely<Database>,
  scope: OperatorScope,
  since: Date,
): Promise<{ day: string; count: number }[]> {
  let query = db
    .selectFrom('accounts')
    .select((eb) => [
      sql<string>`date_format(created_at, '%Y-%m-%d')`.as('day'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('accounts.created_at', '>=', since)
    .groupBy('day');
  if (scope !== 'all') query = query.where(...within(scope));
  return query.execute();
}

/** The number of accounts in the scope. */
export async function countAccounts(db: Kysely<Database>, scope: OperatorScope): Promise<number> {
  return (await countOf(db, 'accounts', countScope(scope)).executeTakeFirstOrThrow()).total;
}
