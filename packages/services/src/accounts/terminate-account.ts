import type { OperatorContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { changeState } from './change-state.ts';

/**
 * Starts the termination of an account. Its rows and its name are freed when its node reports that nothing of it is
 * left. Idempotent while the termination is in progress. Throws `not_found`.
 */
export async function terminateAccount(
  ctx: OperatorContext,
  { account_id }: { account_id: number },
): Promise<Written<Record<string, never>>> {
  return { ...(await changeState(ctx, account_id, 'terminate')), view: {} };
}
