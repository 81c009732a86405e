import { type AccountRow, type Database, hasRecord } from '@innkeeper/db';
import { assertMaySignIn, DomainError, type LoginDestination } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { SignedWords } from '../secrets/signer.ts';

/**
 * Checks a login link's destination, when the link is created and again when it is followed. The account must have the
 * named records (`not_found`), its end user must be allowed to sign in and to open the target (`forbidden`).
 */
export async function requireDestination(
  trx: Transaction<Database>,
  account: AccountRow,
  { target, app_id, domain_id }: LoginDestination,
): Promise<void> {
  if (app_id !== null && !(await hasRecord(trx, 'apps', account.id, app_id)))
    throw new DomainError('not_found', `Account ${account.id} has no app ${app_id}.`);
  if (domain_id !== null && !(await hasRecord(trx, 'domains', account.id, domain_id)))
    throw new DomainError('not_found', `Account ${account.id} has no domain ${domain_id}.`);
  assertMaySignIn(account.state);
  if (target === 'terminal' && account.terminal_access !== 1)
    throw new DomainError('forbidden', 'Terminal access is disabled for this account.');
}

/** The signed content of a login link: all its fields, including the absent ones. */
export function signedWords(
  userId: number,
  expires: number,
  { target, app_id, domain_id }: LoginDestination,
): SignedWords {
  return [userId, expires, target, app_id, domain_id];
}
