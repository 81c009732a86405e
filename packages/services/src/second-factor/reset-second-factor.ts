import {
  clearSecondFactor,
  deleteSessionsOfUser,
  findManagedUser,
  inTransaction,
  lockAccountOfUser,
  lockSecondFactor,
} from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf, requireManage } from '../scope.ts';

/**
 * Disables the second factor of a user who has lost the authenticator and the recovery codes. From now on the password
 * is enough. Signs the user out everywhere. An admin can reset users of any role, support end users, a reseller the end users of its
 * accounts, and nobody itself (`forbidden`). Throws `not_found`, and `precondition_failed` if there is no second
 * factor.
 */
export async function resetSecondFactor(
  ctx: OperatorContext,
  input: { username: string },
): Promise<{ id: number; username: string; sessions_ended: number }> {
  const username = input.username.trim().toLowerCase();
  requireMay(ctx.actor.role, 'totp.reset');
  return await inTransaction(ctx.db, async (trx) => {
    const user = await findManagedUser(trx, operatorScopeOf(ctx.actor), username);
    if (user === undefined)
      throw new DomainError('not_found', `There is no user "${username.slice(0, 50)}".`);
    if (user.id === ctx.actor.userId)
      throw new DomainError(
        'forbidden',
        'Turn off your own second factor on your security page, with one of its codes.',
      );
    requireManage(ctx.actor, user);
    const account = user.role === 'user' ? await lockAccountOfUser(trx, user) : undefined;
    const factor = await lockSecondFactor(trx, user.id);
    if ((factor?.totp_confirmed_at ?? null) === null)
      throw new DomainError('precondition_failed', `${username} has no second factor.`);
    await clearSecondFactor(trx, user.id, ctx.now());
    const sessions_ended = await deleteSessionsOfUser(trx, user.id);
    await audit(trx, ctx, {
      action: 'totp.reset',
      target: `user:${user.id}`,
      account_id: account?.id ?? null,
      details: { username, sessions_ended },
    });
    return { id: user.id, username, sessions_ended };
  });
}
