import { randomBytes } from 'node:crypto';
import { comparableEmail, type Database, insertPasswordLink } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import { hashSecret } from '../secrets/random-secrets.ts';
import { later } from '../sessions/session-lifetime.ts';

/** Path of the links, before the token. */
const PASSWORD_LINK_PATH = '/password/link/';
const TOKEN_FORM = /^[\w-]{43}$/;

/** The user of a link. A new password or a new address changes what the link was made for. */
export interface LinkUser {
  id: number;
  email: string;
  password_hash: string;
}

/**
 * Makes a link that sets the password of a user once, until it expires. Only the hash of its 256 random bits is stored,
 * with a hash of the present password and email address: a link ends when either changes.
 */
export async function makePasswordLink(
  { db, now, publicUrl }: { db: Kysely<Database>; now: () => Date; publicUrl: string },
  user: LinkUser,
  lifetimeMs: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const created_at = now();
  await insertPasswordLink(db, {
    token_hash: hashSecret(token),
    user_id: user.id,
    user_hash: userHashOf(user),
    created_at,
    expires_at: later(created_at, lifetimeMs),
  });
  return `${publicUrl}${PASSWORD_LINK_PATH}${token}`;
}

/** The hash of a token in its stored form. Undefined for a text that is no token. */
export function tokenHashOf(token: string): Buffer | undefined {
  return TOKEN_FORM.test(token) ? hashSecret(token) : undefined;
}

export function userHashOf({ email, password_hash }: LinkUser): Buffer {
  return hashSecret(JSON.stringify([comparableEmail(email), password_hash]));
}

/** The same for every link that does not work, so that it tells nothing about a user. */
export function endedLink(): DomainError {
  return new DomainError('forbidden', 'This link has expired or was already used. Request a new one.');
}
