import { findSignInUser, inTransaction } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { requireCode } from '../second-factor/spend-code.ts';
import { createSession, type NewSession } from '../sessions/create-session.ts';
import { requireSignIn } from './require-sign-in.ts';
import { type Challenge, isGenuine, userOfChallenge } from './second-factor-challenge.ts';
import { requireSamePassword, type SignInContext } from './sign-in.ts';

/**
 * Signs in whoever gave the password and now gives a code of the authenticator, or a recovery code. Throws
 * `unauthenticated` for a challenge that is not ours or is over, `invalid` for a wrong or used code, and
 * `forbidden` for an account that is not active any more.
 */
export async function finishSignIn(
  visitor: SignInContext,
  { challenge, code }: { challenge: Challenge; code: string },
): Promise<{ session: NewSession }> {
  const userId = userOfChallenge(challenge);
  const user = userId === undefined ? undefined : await findSignInUser(visitor.db, { id: userId });
  if (user === undefined || !isGenuine(visitor, user, challenge))
    throw new DomainError('unauthenticated', 'Sign in again.');
  await visitor.countAttempt('sign-in-address', visitor.address);
  await visitor.countAttempt('second-factor', String(user.id));
  return await inTransaction(visitor.db, async (trx) => {
    const account_id = await requireSignIn(trx, user);
    await requireSamePassword(trx, user);
    const second_factor = await requireCode(trx, visitor, user.id, code);
    const opened = { user_id: user.id, account_id, method: 'password', details: { second_factor } } as const;
    return { session: await createSession(trx, visitor, opened) };
  });
}
