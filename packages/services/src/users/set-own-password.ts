import { newPassword, parseFields } from '@innkeeper/contract';
import {
  deleteSessionsOfUser,
  findSignInUser,
  inTransaction,
  lockUser,
  setPasswordHash,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';
import { hashPanelPassword } from '../passwords/panel-password.ts';
import { requireOwnPassword, wrongPassword } from './own-password.ts';

/**
 * Changes the password of an admin or reseller who enters the current one. Signs out the user's other browsers.
 * Attempts count as sign-in attempts. Throws `invalid`, and `forbidden` for an end user: see `setOwnAccountPassword`.
 */
export async function setOwnPassword(
  ctx: UserContext,
  { current_password, password }: { current_password: string; password: string },
): Promise<void> {
  const { userId } = ctx.actor;
  const user = await findSignInUser(ctx.db, { id: userId });
  if (user === undefined) throw new DomainError('not_found', `There is no user ${userId}.`);
  if (user.role === 'user')
    throw new DomainError('forbidden', 'This password belongs to the hosting account. Change it there.');
  parseFields(newPassword, { password });
  await requireOwnPassword(ctx, user, current_password);
  const hash = await hashPanelPassword(password);
  await inTransaction(ctx.db, async (trx) => {
    await lockUser(trx, userId);
    const locked = await findSignInUser(trx, { id: userId });
    if (locked?.password_hash !== user.password_hash) throw wrongPassword();
    await setPasswordHash(trx, userId, hash, ctx.now());
    const sessions_ended = await deleteSessionsOfUser(trx, userId, ctx.sessionId);
    await audit(trx, ctx, {
      action: 'user.set-password',
      target: `user:${userId}`,
      account_id: null,
      details: { replaced: ['password'], sessions_ended },
    });
  });
}
