import type { AccountView } from '@innkeeper/contract';
import { findSignInUser } from '@innkeeper/db';
import { assertMaySignIn, DomainError } from '@innkeeper/domain';
import type { Written } from '../desired-state.ts';
import type { EndUserContext } from '../panel-context.ts';
import { requireOwnPassword, wrongPassword } from '../users/own-password.ts';
import { hashAccountPassword, replacePassword } from './account-password.ts';
import { changeAccount } from './change-account.ts';

/**
 * Changes the password of the panel login and of the Linux user, for a customer who enters the current one. Signs out
 * the customer's other browsers. Attempts count as sign-in attempts. Throws `invalid`, and `forbidden` for an operator
 * who logged in as the customer and for an account that is no longer active.
 */
export async function setOwnAccountPassword(
  ctx: EndUserContext,
  { current_password, password }: { current_password: string; password: string },
): Promise<Written<AccountView>> {
  const { userId, accountId } = ctx.actor;
  if (ctx.sessionMethod === 'operator')
    throw new DomainError(
      'forbidden',
      'Only the customer can change this password here. Set it on the account’s page in your own panel.',
    );
  const user = await findSignInUser(ctx.db, { id: userId });
  if (user === undefined) throw new DomainError('not_found', `There is no user ${userId}.`);
  await requireOwnPassword(ctx, user, current_password);
  const hashes = await hashAccountPassword(ctx, password);
  const asked = { action: 'account.set-password', id: accountId, requireState: assertMaySignIn } as const;
  return await changeAccount(ctx, asked, async (trx, account, now) => {
    const locked = await findSignInUser(trx, { id: userId });
    if (locked?.password_hash !== user.password_hash) throw wrongPassword();
    return await replacePassword(trx, account, hashes, { now, spare: ctx.sessionId });
  });
}
