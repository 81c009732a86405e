import { expireSessionsOfUser } from '@innkeeper/db';
import { nextAccountState } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import type { Written } from '../written.ts';
import type { AccountView } from './account-view.ts';
import { changeAccount } from './change-account.ts';

/**
 * Moves an account to the state that a verb leads to, and signs its end user out everywhere unless that is
 * the active one. Where it is there already nothing is written and the generation stays. Throws `not_found`, and `precondition_failed` while it is being terminated.
 */
export async function changeState(
  ctx: OperatorContext,
  id: number,
  verb: 'suspend' | 'unsuspend' | 'terminate',
): Promise<Written<AccountView>> {
  // One that is being terminated may be terminated again: `nextAccountState` refuses the other verbs.
  const asked = { action: `account.${verb}`, id, requireState: () => undefined };
  return await changeAccount(ctx, asked, async (trx, account, now) => {
    const state = nextAccountState(account.state, verb);
    if (state === account.state) return null;
    if (state !== 'active') await expireSessionsOfUser(trx, account.user_id, now);
    return { state };
  });
}
