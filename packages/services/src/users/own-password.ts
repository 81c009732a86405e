import { noteSignInFailure, type SignInUser } from '@innkeeper/db';
import { type DomainError, invalidField } from '@innkeeper/domain';
import type { UserContext } from '../panel-context.ts';
import { verifyPanelPassword } from '../passwords/panel-password.ts';

/**
 * Throws `invalid` unless `typed` is the user's current password. Attempts are counted for the signed-in user,
 * independently of other people's attempts. A wrong password is recorded like a failed sign-in.
 */
export async function requireOwnPassword(
  ctx: Pick<UserContext, 'db' | 'now' | 'actor' | 'countAttempt'>,
  user: SignInUser,
  typed: string,
): Promise<void> {
  const { address } = ctx.actor;
  await ctx.countAttempt('own-password', { name: user.username });
  if (await verifyPanelPassword(typed, user.password_hash)) return;
  const { username } = user;
  await noteSignInFailure(ctx.db, { username, kind: 'password', address, now: ctx.now() });
  throw wrongPassword();
}

export function wrongPassword(): DomainError {
  return invalidField('current_password', 'The current password is wrong.');
}
