import type { OperatorContext } from '../context.ts';
import type { Written } from '../written.ts';
import { changeState } from './change-state.ts';

/**
 * Starts the end of an account. Its rows and its name go when its node reports that nothing is left of it.
 * Again while it ends: the same answer. Throws `not_found`.
 */
export async function terminateAccount(
  ctx: OperatorContext,
  { account_id }: { account_id: number },
): Promise<Written<Record<string, never>>> {
  return { ...(await changeState(ctx, account_id, 'terminate')), view: {} };
}
