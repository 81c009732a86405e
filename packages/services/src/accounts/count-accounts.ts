import { type AccountChoice, countChosenAccounts } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';

/** The number of accounts that the actor sees, that match the filter and that are not being removed. */
export async function countAccounts(ctx: OperatorContext, choice: AccountChoice): Promise<number> {
  const isAdmins = choice.node_id !== undefined || choice.reseller_user_id !== undefined;
  if (isAdmins && ctx.actor.role === 'reseller') return 0;
  return await countChosenAccounts(ctx.db, operatorScopeOf(ctx.actor), choice);
}
