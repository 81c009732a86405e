import type { OperatorContext } from '../context.ts';
import type { Written } from '../written.ts';
import type { AccountView } from './account-view.ts';
import { changeState } from './change-state.ts';

/** Brings back what an account was before it was suspended. Throws as `changeState` does. */
export async function unsuspendAccount(
  ctx: OperatorContext,
  { account_id }: { account_id: number },
): Promise<Written<AccountView>> {
  return await changeState(ctx, account_id, 'unsuspend');
}
