import { type AccountState, DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../schema/index.ts';
import { type Scope, within } from './scope.ts';

export interface AccountNode {
  node_id: number;
  state: AccountState;
  terminal_access: number;
}

/** The server of an account, and what it may do there. Throws `not_found` outside the scope. */
export async function getAccountNode(
  db: Kysely<Database>,
  scope: Scope,
  accountId: number,
): Promise<AccountNode> {
  let query = db
    .selectFrom('accounts')
    .select(['node_id', 'state', 'terminal_access'])
    .where('accounts.id', '=', accountId);
  if (scope !== 'all') query = query.where(...within(scope));
  const row = await query.executeTakeFirst();
  if (row === undefined) throw new DomainError('not_found', `There is no account ${accountId}.`);
  return row;
}
