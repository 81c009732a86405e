import { type Database, lockAccountOfUser, lockUser, type SignInUser } from '@innkeeper/db';
import { assertMaySignIn, DomainError, invalidField } from '@innkeeper/domain';
import type { Transaction } from 'kysely';

/** The same error for an unknown username and for a wrong password. */
export function wrongCredentials(): DomainError {
  return invalidField('username', 'These credentials do not match our records.');
}

/**
 * Locks the end user's account and returns its id. For an admin or reseller, locks the user and returns null. So a
 * concurrent password change happens completely before or completely after. Throws `forbidden`, with the reason, while
 * the account is not active or the user is disabled.
 */
export async function requireSignIn(
  trx: Transaction<Database>,
  user: Pick<SignInUser, 'id' | 'username' | 'role'>,
): Promise<number | null> {
  if (user.role !== 'user') {
    const locked = await lockUser(trx, user.id);
    if (locked === undefined) throw wrongCredentials();
    if (locked.disabled_at !== null)
      throw new DomainError('forbidden', 'This user is disabled. Ask an administrator.');
    return null;
  }
  const account = await lockAccountOfUser(trx, user);
  if (account === undefined) throw wrongCredentials();
  assertMaySignIn(account.state);
  return account.id;
}
