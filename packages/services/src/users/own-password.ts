import type { SignInUser } from '@innkeeper/db';
import { type DomainError, invalidField } from '@innkeeper/domain';
import type { UserContext } from '../panel-context.ts';
import { verifyPanelPassword } from '../passwords/panel-password.ts';

/** Throws `invalid` unless `typed` is the user's present password. A try counts as a try to sign in. */
export async function requireOwnPassword(
  ctx: Pick<UserContext, 'actor' | 'countAttempt'>,
  user: SignInUser,
  typed: string,
): Promise<void> {
  await ctx.countAttempt('sign-in-address', ctx.actor.address);
  await ctx.countAttempt('sign-in-name', user.username);
  if (!(await verifyPanelPassword(typed, user.password_hash))) throw wrongPassword();
}

export function wrongPassword(): DomainError {
  return invalidField('current_password', 'This is not your present password.');
}
