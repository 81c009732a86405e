import { expireSessionsOfUser, lockAccount } from '@innkeeper/db';
import { nextAccountState } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import type { AccountView } from './account-view.ts';
import { changeAccount } from './change-account.ts';

/**
 * Moves an account to the state that a verb leads to, and signs its end user out everywhere unless that is
 * the active one. Where it is there already nothing is written and the generation stays. Throws `not_found`, and `precondition_failed` while it is being terminated.
 */
export async function changeState(
  ctx: OperatorContext,
  accountId: number,
  verb: 'suspend' | 'unsuspend' | 'terminate',
): Promise<Written<AccountView>> {
  return await changeAccount(ctx, `account.${verb}`, async (trx) => {
    const account = await lockAccount(trx, scopeOf(ctx.actor), accountId);
    const state = nextAccountState(account.state, verb);
    if (state === account.state) return { account, change: null };
    if (state !== 'active') await expireSessionsOfUser(trx, account.user_id, ctx.now());
    return { account, change: { state } };
  });
}
