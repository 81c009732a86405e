import { deleteSession, inTransaction } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';

/** Signs out one of the user's own browsers. Throws `not_found`, also for another user's session. */
export async function endSession(ctx: UserContext, { session_id }: { session_id: number }): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await deleteSession(trx, ctx.actor.userId, session_id)))
      throw new DomainError('not_found', `There is no session ${session_id}.`);
    await audit(trx, ctx, { action: 'session.end', target: `session:${session_id}`, account_id: null });
  });
}
