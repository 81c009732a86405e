import type { OperatorContext } from '../context.ts';
import type { Written } from '../written.ts';
import type { AccountView } from './account-view.ts';
import { changeState } from './change-state.ts';

/** Stops all that runs of an account and answers its sites with the suspended page. Throws as `changeState` does. */
export async function suspendAccount(
  ctx: OperatorContext,
  { account_id }: { account_id: number },
): Promise<Written<AccountView>> {
  return await changeState(ctx, account_id, 'suspend');
}
