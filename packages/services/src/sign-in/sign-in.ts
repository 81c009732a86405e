import {
  type Database,
  findSignInUser,
  inTransaction,
  noteSignInFailure,
  type SignInUser,
} from '@innkeeper/db';
import { PASSWORD_MAX_BYTES, USERNAME_PATTERN } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { CountAttempt } from '../attempt-limits.ts';
import type { VisitorContext } from '../panel-context.ts';
import { nobodysPasswordHash, verifyPanelPassword } from '../passwords/panel-password.ts';
import { createSession, type NewSession } from '../sessions/create-session.ts';
import { knownBrowserOf } from './known-browser.ts';
import { requireSignIn, wrongCredentials } from './require-sign-in.ts';
import { type Challenge, makeChallenge } from './second-factor-challenge.ts';

export interface SignInContext extends VisitorContext {
  countAttempt: CountAttempt;
}

/** Signed in, or a code is required: then pass the challenge to `finishSignIn`. */
export type SignedIn =
  | { session: NewSession; username: string; challenge?: never }
  | { challenge: Challenge; session?: never };

/**
 * Signs a panel user in with a password. An unknown username takes the same time and gives the same error as a wrong
 * password: `invalid`. Throws `forbidden`, with the reason, if the password is right and the account is not active.
 */
export async function signIn(
  visitor: SignInContext,
  { username, password }: { username: string; password: string },
): Promise<SignedIn> {
  const user = await requirePassword(visitor, username.trim().toLowerCase(), password);
  return await inTransaction(visitor.db, async (trx) => {
    const account_id = await requireSignIn(trx, user);
    const current = await requireSamePassword(trx, user);
    if (current.totp_confirmed_at !== null) return { challenge: makeChallenge(visitor, current) };
    const opened = { user_id: user.id, account_id, method: 'password' } as const;
    return { session: await createSession(trx, visitor, opened), username: user.username };
  });
}

async function requirePassword(
  visitor: SignInContext,
  username: string,
  password: string,
): Promise<SignInUser> {
  const isName = USERNAME_PATTERN.test(username);
  await countPassword(visitor, isName ? username : undefined);
  const user = isName ? await findSignInUser(visitor.db, { username }) : undefined;
  // A text too long for a password is compared all the same, but argon2 does not hash it in full.
  const candidate = Buffer.byteLength(password) > 4 * PASSWORD_MAX_BYTES ? '' : password;
  const isRight = await verifyPanelPassword(candidate, user?.password_hash ?? nobodysPasswordHash);
  if (user !== undefined && isRight) return user;
  const { db, address, now } = visitor;
  if (isName) await noteSignInFailure(db, { username, kind: 'password', address, now: now() });
  throw wrongCredentials();
}

/** Counts an attempt before the password is verified. Throws like `countAttempt`. */
async function countPassword(visitor: SignInContext, username: string | undefined): Promise<void> {
  const { address } = visitor;
  const browser = username === undefined ? undefined : knownBrowserOf(visitor, username);
  if (browser !== undefined) return await visitor.countAttempt('sign-in-browser', { name: browser });
  await visitor.countAttempt('sign-in-address', { address });
  if (username === undefined) return;
  await visitor.countAttempt('sign-in-network', { name: username, address });
  await visitor.countAttempt('sign-in-name', { name: username });
}

/** Reads the user again in the transaction: the password can change while it is verified. */
export async function requireSamePassword(trx: Transaction<Database>, user: SignInUser): Promise<SignInUser> {
  const current = await findSignInUser(trx, { id: user.id });
  if (current?.password_hash !== user.password_hash) throw wrongCredentials();
  return current;
}
