import {
  type AccountRow,
  type Database,
  findSignInUser,
  inTransaction,
  lockAccountOfUser,
} from '@innkeeper/db';
import { DomainError, type LoginDestination, panelPath } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { VisitorContext } from '../panel-context.ts';
import { createSession, type NewSession, type OperatorSession } from '../sessions/create-session.ts';
import { requireDestination, signedWords } from './login-destination.ts';

/** A login link as the browser sent it. Null: malformed. */
export type BroughtLink = { destination: LoginDestination; expires: number; signature: string } | null;

interface Brought {
  user_id: number;
  link: BroughtLink;
}

interface Followed extends Brought {
  /** The operator who created the link to log in as the user. Default: the user follows its own link. */
  operator?: OperatorSession;
}

/**
 * Signs the end user in, each time with a new session and without a TOTP code, and returns the page to open. Throws
 * `forbidden` for a link that is not ours, that was changed or has expired, and for every reason for which the account
 * could not get a link now.
 */
export async function followLoginLink(
  visitor: VisitorContext,
  { user_id, link, operator }: Followed,
): Promise<{ session: NewSession; path: string }> {
  const { destination } = requireGenuine(visitor, user_id, link);
  const session = await inTransaction(visitor.db, async (trx) => {
    const { id: account_id } = await requireOpen(trx, user_id, destination);
    const details = { target: destination.target };
    const method = operator !== undefined ? 'operator' : 'login-link';
    return await createSession(trx, visitor, { user_id, account_id, method, operator, details });
  });
  return { session, path: panelPath(destination) };
}

/** Checks a link without starting a session: returns its page and user. Throws the same errors as following it. */
export async function checkLoginLink(
  visitor: VisitorContext,
  { user_id, link }: Brought,
): Promise<{ path: string; username: string }> {
  const { destination } = requireGenuine(visitor, user_id, link);
  const { username } = await inTransaction(visitor.db, (trx) => requireOpen(trx, user_id, destination));
  return { path: panelPath(destination), username };
}

/** Locks the account of the user. Throws if the user cannot follow the link now. */
async function requireOpen(
  trx: Transaction<Database>,
  userId: number,
  destination: LoginDestination,
): Promise<AccountRow> {
  const user = await findSignInUser(trx, { id: userId });
  const account = user === undefined ? undefined : await lockAccountOfUser(trx, user);
  if (account === undefined) throw new DomainError('forbidden', 'This account no longer exists.');
  await requireDestination(trx, account, destination).catch(forbidMissing);
  return account;
}

function requireGenuine(
  visitor: VisitorContext,
  userId: number,
  link: BroughtLink,
): NonNullable<BroughtLink> {
  const now = visitor.now().getTime() / 1_000;
  if (
    link === null ||
    !visitor.signer.verifies(
      'login-link',
      signedWords(userId, link.expires, link.destination),
      link.signature,
    ) ||
    link.expires <= now
  )
    throw new DomainError('forbidden', 'Invalid signature.');
  return link;
}

/** The link is valid, but its target was removed since. */
function forbidMissing(error: unknown): never {
  if (error instanceof DomainError && error.code === 'not_found')
    throw new DomainError('forbidden', 'The target of this link no longer exists.');
  throw error;
}
