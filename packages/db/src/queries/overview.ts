import type { Kysely } from 'kysely';
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

/** The number of accounts in the scope. */
export async function countAccounts(db: Kysely<Database>, scope: OperatorScope): Promise<number> {
  return (await countOf(db, 'accounts', countScope(scope)).executeTakeFirstOrThrow()).total;
}
