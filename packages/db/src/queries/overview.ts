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

/** The number of accounts in the scope. */
export async function countAccounts(db: Kysely<Database>, scope: OperatorScope): Promise<number> {
  return (await countOf(db, 'accounts', countScope(scope)).executeTakeFirstOrThrow()).total;
}

/** Whether there is any of these, and whether the user has a second factor. */
export interface StepsDone {
  server: boolean;
  package: boolean;
  account: boolean;
  second_factor: boolean;
  mail: boolean;
  token: boolean;
}

/** One SQL statement; each part ends at its first row. */
export async function findFirstSteps(db: Kysely<Database>, userId: number): Promise<StepsDone> {
  const { rows } = await sql<Record<keyof StepsDone, number>>`select
    exists(select 1 from nodes where session_id is not null) as server,
    exists(select 1 from packages where is_internal = 0) as package,
    exists(select 1 from accounts) as account,
    exists(select 1 from users where id = ${userId} and totp_confirmed_at is not null) as second_factor,
    exists(select 1 from mail_settings) as mail,
    exists(select 1 from api_tokens where revoked_at is null) as token`.execute(db);
  const found = Object.entries(rows[0] ?? {}).map(([step, has]) => [step, Number(has) === 1] as const);
  return Object.fromEntries(found) as unknown as StepsDone;
}
