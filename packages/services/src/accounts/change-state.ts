import type { AccountView } from '@innkeeper/contract';
import { expireSessionsOfUser } from '@innkeeper/db';
import { nextAccountState } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { changeAccount } from './change-account.ts';

/**
 * Moves an account to the target state of a verb. Signs its end user out everywhere, unless the target is the active
 * state. If the account has the state already, nothing is written and the generation stays. `withReseller`: an active
 * account is suspended together with its reseller, and only such an account comes back with it. `reason`: of a suspension,
 * for operators. The first one stays until the account is active again. Throws `not_found`, and
 * `precondition_failed` while the account is being terminated.
 */
export async function changeState(
  ctx: OperatorContext,
  id: number,
  verb: 'suspend' | 'unsuspend' | 'terminate',
  { withReseller = false, reason = null }: { withReseller?: boolean; reason?: string | null } = {},
): Promise<Written<AccountView>> {
  // An account that is being terminated accepts terminate again. `nextAccountState` refuses the other verbs.
  const asked = { action: `account.${verb}`, id, requireState: () => undefined } as const;
  return await changeAccount(ctx, asked, async (trx, account, now) => {
    const state = nextAccountState(account.state, verb);
    if (withReseller && verb === 'suspend' && account.state !== 'active') return null;
    if (withReseller && verb === 'unsuspend' && account.suspended_with_reseller === 0) return null;
    const mark = withReseller && verb === 'suspend' ? 1 : 0;
    if (state === account.state && mark === account.suspended_with_reseller) return null;
    if (state !== 'active') await expireSessionsOfUser(trx, account.user_id, now);
    const suspension_reason = state === 'suspended' ? (account.suspension_reason ?? reason) : null;
    return {
      state,
      ...(mark === account.suspended_with_reseller ? {} : { suspended_with_reseller: mark }),
      ...(suspension_reason === account.suspension_reason ? {} : { suspension_reason }),
    };
  });
}
