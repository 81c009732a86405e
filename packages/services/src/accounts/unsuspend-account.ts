import type { AccountView } from '@innkeeper/contract';
import type { OperatorContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { changeState } from './change-state.ts';

/** Unsuspends an account: restores its earlier state. Throws like `changeState`. */
export async function unsuspendAccount(
  ctx: OperatorContext,
  { account_id, with_reseller }: { account_id: number; with_reseller?: boolean },
): Promise<Written<AccountView>> {
  return await changeState(ctx, account_id, 'unsuspend', { withReseller: with_reseller ?? false });
}
