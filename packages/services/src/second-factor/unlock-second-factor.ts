import { findManagedUser, inTransaction, lockAccountOfUser } from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf, requireManage } from '../scope.ts';
import { freeCodeBudget } from './code-budget.ts';

/**
 * Unlocks a user's authenticator codes after too many wrong ones. An admin can unlock users of any role, support end users, a reseller the
 * end users of its accounts, and nobody itself (`forbidden`). Throws `not_found`, and `precondition_failed` if nothing
 * is locked.
 */
export async function unlockSecondFactor(
  ctx: OperatorContext,
  { username }: { username: string },
): Promise<{ id: number; username: string }> {
  requireMay(ctx.actor.role, 'totp.unlock');
  return await inTransaction(ctx.db, async (trx) => {
    const user = await findManagedUser(trx, operatorScopeOf(ctx.actor), username);
    if (user === undefined)
      throw new DomainError('not_found', `There is no user "${username.slice(0, 50)}".`);
    if (user.id === ctx.actor.userId)
      throw new DomainError('forbidden', 'Unlock your own second factor with a recovery code.');
    requireManage(ctx.actor, user);
    const account = user.role === 'user' ? await lockAccountOfUser(trx, user) : undefined;
    if (!(await freeCodeBudget(trx, user.id)))
      throw new DomainError('precondition_failed', `The second factor of ${username} is not locked.`);
    await audit(trx, ctx, {
      action: 'totp.unlock',
      target: `user:${user.id}`,
      account_id: account?.id ?? null,
      details: { username },
    });
    return { id: user.id, username };
  });
}
