import type { AccountView } from '@innkeeper/contract';
import type { OperatorContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { changeState } from './change-state.ts';
import { readSuspensionReason } from './suspension-reason.ts';

/**
 * Suspends an account: stops all its processes and shows the suspension page on its sites. `reason`: for operators, up to
 * 255 characters. Throws like `changeState`, and `invalid` for the reason.
 */
export async function suspendAccount(
  ctx: OperatorContext,
  input: { account_id: number; with_reseller?: boolean; reason?: string | null },
): Promise<Written<AccountView>> {
  const { account_id, with_reseller: withReseller = false } = input;
  const reason = readSuspensionReason(input.reason);
  return await changeState(ctx, account_id, 'suspend', { withReseller, reason });
}
