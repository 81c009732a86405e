import { randomBytes } from 'node:crypto';
import type { VisitorContext } from '../panel-context.ts';

/**
 * Cookie that proves that a user signed in with this browser before, with password and code. It grants no access.
 * Attempts of this user from such a browser are counted for the browser only. So strangers cannot lock the owner out by
 * using up the attempts of the username. The signature covers the username, which the cookie does not contain.
 */
export type KnownBrowser = string;

const LIFETIME_S = 90 * 86_400;
const FORM = /^([\w-]{22})\.([1-9]\d{0,11})\.([0-9a-f]{64})$/;

export function makeKnownBrowser(
  { signer, now }: Pick<VisitorContext, 'signer' | 'now'>,
  username: string,
): { value: KnownBrowser; maxAgeS: number } {
  const id = randomBytes(16).toString('base64url');
  const expires = Math.floor(now().getTime() / 1_000) + LIFETIME_S;
  const signature = signer.sign('known-browser', [username, id, expires]);
  return { value: `${id}.${expires}.${signature}`, maxAgeS: LIFETIME_S };
}

/** Returns the browser's id. Undefined if the cookie is not valid for this user or has expired. */
export function knownBrowserOf(
  { signer, now, knownBrowser = '' }: Pick<VisitorContext, 'signer' | 'now' | 'knownBrowser'>,
  username: string,
): string | undefined {
  const [, id = '', until, signature = ''] = FORM.exec(knownBrowser) ?? [];
  const expires = Number(until);
  const isGenuine = signer.verifies('known-browser', [username, id, expires], signature);
  return isGenuine && expires > now().getTime() / 1_000 ? id : undefined;
}
