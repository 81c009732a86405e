import { deleteSessionsOfUser, inTransaction } from '@innkeeper/db';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';

/** Signs out all of the user's own browsers, or all except the current one. Returns how many. */
export async function endAllSessions(
  ctx: UserContext,
  { spare_current }: { spare_current: boolean },
): Promise<number> {
  const { userId } = ctx.actor;
  return await inTransaction(ctx.db, async (trx) => {
    const count = await deleteSessionsOfUser(trx, userId, spare_current ? ctx.sessionId : undefined);
    await audit(trx, ctx, {
      action: 'session.end-all',
      target: `user:${userId}`,
      account_id: null,
      details: { count, spare_current },
    });
    return count;
  });
}
