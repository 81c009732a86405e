import { type Database, lockAccountOfUser, lockUser, type SignInUser } from '@innkeeper/db';
import { assertMaySignIn, type DomainError, invalidField } from '@innkeeper/domain';
import type { Transaction } from 'kysely';

/** The same error for an unknown username and for a wrong password. */
export function wrongCredentials(): DomainError {
  return invalidField('username', 'These credentials do not match our records.');
}

/**
 * Locks the end user's account and answers its id; of an admin or reseller, whose id is null, the user. So a new
 * password comes wholly before or wholly after. Throws `forbidden`, with the reason, while the account is not active.
 */
export async function requireSignIn(
  trx: Transaction<Database>,
  user: Pick<SignInUser, 'id' | 'username' | 'role'>,
): Promise<number | null> {
  if (user.role !== 'user') {
    await lockUser(trx, user.id);
    return null;
  }
  const account = await lockAccountOfUser(trx, user);
  if (account === undefined) throw wrongCredentials();
  assertMaySignIn(account.state);
  return account.id;
}
