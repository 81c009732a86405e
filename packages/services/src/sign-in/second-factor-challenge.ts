import type { SignInUser } from '@innkeeper/db';
import type { VisitorContext } from '../panel-context.ts';
import { hashSecret } from '../secrets/random-secrets.ts';

/**
 * Proves that this user's password was entered just now and that a code is still missing. The browser carries it from
 * one page to the next. The signature covers the password's hash, so a new password invalidates it.
 */
export type Challenge = string;

const LIFETIME_SECONDS = 300;
const FORM = /^([1-9]\d{0,15})\.([1-9]\d{0,11})\.([0-9a-f]{64})$/;

export function makeChallenge(
  { signer, now }: Pick<VisitorContext, 'signer' | 'now'>,
  user: SignInUser,
): Challenge {
  const expires = Math.floor(now().getTime() / 1_000) + LIFETIME_SECONDS;
  return `${user.id}.${expires}.${signer.sign('second-factor', signedWords(user, expires))}`;
}

/** The user id in a challenge, before its signature is verified. Undefined for a malformed challenge. */
export function userOfChallenge(challenge: Challenge): number | undefined {
  const id = FORM.exec(challenge)?.[1];
  return id === undefined ? undefined : Number(id);
}

export function isGenuine(
  { signer, now }: Pick<VisitorContext, 'signer' | 'now'>,
  user: SignInUser,
  challenge: Challenge,
): boolean {
  const [, , expires, signature = ''] = FORM.exec(challenge) ?? [];
  const until = Number(expires);
  if (!signer.verifies('second-factor', signedWords(user, until), signature)) return false;
  return until > now().getTime() / 1_000;
}

function signedWords({ id, password_hash }: SignInUser, expires: number) {
  return [id, expires, hashSecret(password_hash).toString('hex')];
}
