import { type Database, findSignInUser, inTransaction } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { withCodeBudget } from '../second-factor/code-budget.ts';
import { requireCode } from '../second-factor/spend-code.ts';
import { createSession, type NewSession } from '../sessions/create-session.ts';
import { knownBrowserOf } from './known-browser.ts';
import { requireSignIn } from './require-sign-in.ts';
import { type Challenge, isGenuine, userOfChallenge } from './second-factor-challenge.ts';
import { requireSamePassword, type SignInContext } from './sign-in.ts';

/**
 * Second step of a sign-in: the user entered the password before, and now a code of the authenticator or a recovery
 * code. Throws `unauthenticated` for a challenge that is not ours or has expired, `invalid` for a wrong or used code,
 * like `withCodeBudget` if no attempts are left, and `forbidden` for an account that is no longer active.
 */
export async function finishSignIn(
  visitor: SignInContext,
  { challenge, code }: { challenge: Challenge; code: string },
): Promise<{ session: NewSession; username: string }> {
  const userId = userOfChallenge(challenge);
  const user = userId === undefined ? undefined : await findSignInUser(visitor.db, { id: userId });
  if (user === undefined || !isGenuine(visitor, user, challenge))
    throw new DomainError('unauthenticated', 'Sign in again.');
  const { address } = visitor;
  const browser = knownBrowserOf(visitor, user.username);
  if (browser === undefined) await visitor.countAttempt('sign-in-address', { address });
  const enter = async (trx: Transaction<Database>) => {
    const account_id = await requireSignIn(trx, user);
    await requireSamePassword(trx, user);
    const second_factor = await requireCode(trx, visitor, user.id, code);
    const opened = { user_id: user.id, account_id, method: 'password', details: { second_factor } } as const;
    return { session: await createSession(trx, visitor, opened), username: user.username };
  };
  return await withCodeBudget(visitor, { user, typed: code, browser }, () =>
    inTransaction(visitor.db, enter),
  );
}
