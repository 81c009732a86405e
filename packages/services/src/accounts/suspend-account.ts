import type { AccountView } from '@innkeeper/contract';
import type { OperatorContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { changeState } from './change-state.ts';

/**
 * Suspends an account: stops all its processes and shows the suspension page on its sites. Throws like `changeState`.
 */
export async function suspendAccount(
  ctx: OperatorContext,
  { account_id, with_reseller }: { account_id: number; with_reseller?: boolean },
): Promise<Written<AccountView>> {
  return await changeState(ctx, account_id, 'suspend', { withReseller: with_reseller ?? false });
}
