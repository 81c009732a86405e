import { retryFailedApps } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';

/**
 * Makes the node try everything of an account again now: a new generation with the same desired state, in which failed
 * apps have one more try. Throws
 * `not_found` outside the actor's scope, and `precondition_failed` for an account that is being terminated.
 */
export async function retryAccount(
  ctx: ServiceContext,
  { account_id }: { account_id: number },
): Promise<Written<null>> {
  const asked = { action: 'account.retry', kind: 'account', id: account_id } as const;
  return await changeDesired(ctx, asked, async (trx) => {
    await retryFailedApps(trx, account_id);
    return { details: {}, view: () => null };
  });
}
