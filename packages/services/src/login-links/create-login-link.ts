import {
  type AccountRow,
  type Database,
  findSignInUser,
  inTransaction,
  lockAccount,
  restoreEndUser,
  type SignInUser,
} from '@innkeeper/db';
import { type LoginDestination, requireMay } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { nobodysPasswordHash } from '../passwords/panel-password.ts';
import { scopeOf } from '../scope.ts';
import type { Signer } from '../secrets/signer.ts';
import { requireDestination, signedWords } from './login-destination.ts';

/** The parts of a login link. Anyone with the link can sign in as the user until it expires. */
export interface LoginLink {
  user: { id: number; username: string; email: string };
  destination: LoginDestination;
  /** Seconds since 1970. */
  expires: number;
  /** Seconds from now. */
  expires_in: number;
  signature: string;
}

const LIFETIME_SECONDS = 300;

/**
 * A link that signs the account's end user in, valid for 5 minutes and any number of uses. Throws `not_found` for an
 * account that the actor does not see and for an app or domain of another account, and `forbidden` for an account that
 * is not active and for a terminal target without terminal access.
 */
export async function createLoginLink(
  ctx: OperatorContext & { signer: Signer },
  { account_id, destination }: { account_id: number; destination: LoginDestination },
): Promise<LoginLink> {
  requireMay(ctx.actor.role, 'account.login-link');
  return await inTransaction(ctx.db, async (trx) => {
    const account = await lockAccount(trx, scopeOf(ctx.actor), account_id);
    await requireDestination(trx, account, destination);
    const { id, username, email } = await ensureEndUser(trx, account, ctx.now());
    await audit(trx, ctx, {
      action: 'account.login-link',
      target: `account:${account.id}`,
      account_id: account.id,
      details: { user_id: id, ...destination },
    });
    const expires = Math.floor(ctx.now().getTime() / 1_000) + LIFETIME_SECONDS;
    return {
      user: { id, username, email },
      destination,
      expires,
      expires_in: LIFETIME_SECONDS,
      signature: ctx.signer.sign('login-link', signedWords(id, expires, destination)),
    };
  });
}

/** The account's panel login. Creates it without a password if it is missing. */
async function ensureEndUser(
  trx: Transaction<Database>,
  account: AccountRow,
  now: Date,
): Promise<Pick<SignInUser, 'id' | 'username' | 'email'>> {
  const found = await findSignInUser(trx, { id: account.user_id });
  if (found !== undefined) return found;
  await restoreEndUser(trx, account, nobodysPasswordHash, now);
  return { id: account.user_id, username: account.username, email: account.email };
}
