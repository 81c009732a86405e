import { getCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';
import type { PanelContext } from '../env.ts';

/**
 * The panel's cookies, none of which a script can read: the session's token; the session that an operator goes
 * back to from a customer's panel; a sign-in that waits for a code; a visitor without a session; an earlier sign-in
 * with this browser; and what the next page has to say.
 */
export type CookieName = 'session' | 'operator' | 'challenge' | 'visitor' | 'known' | 'notice';

/**
 * The cookie that holds a session's token. It lasts as long as the browser runs; when a session ends is the
 * database's to say. A link of another site may lead here signed in, another site's form may not.
 */
export function sessionCookie(token: string, isSecure: boolean): string {
  return cookieText('session', token, isSecure);
}

/** Tokens of the sessions that a browser has: its own, and an operator's to go back to. From a `Cookie` header. */
export function broughtSessions(
  cookies: string | undefined,
  isSecure: boolean,
): { session: string | undefined; operator: string | undefined } {
  const brought = parse(cookies ?? '');
  return {
    session: brought[fullName('session', isSecure)],
    operator: brought[fullName('operator', isSecure)],
  };
}

export function readCookie(c: PanelContext, name: CookieName): string | undefined {
  return getCookie(c, fullName(name, c.var.isSecure));
}

/** `maxAgeS`: until the browser ends, where it is left out. */
export function setCookie(c: PanelContext, name: CookieName, value: string, maxAgeS?: number): void {
  c.header('Set-Cookie', cookieText(name, value, c.var.isSecure, maxAgeS), { append: true });
}

export function clearCookie(c: PanelContext, name: CookieName): void {
  setCookie(c, name, '', 0);
}

/**
 * Under HTTPS the name has the prefix that makes browsers insist on all that is said here, and take it from no
 * other host.
 */
function fullName(name: CookieName, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}innkeeper_${name}`;
}

function cookieText(name: CookieName, value: string, isSecure: boolean, maxAgeS?: number): string {
  const age = maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`;
  const sameSite = name === 'session' || name === 'notice' ? 'Lax' : 'Strict';
  const secure = isSecure ? '; Secure' : '';
  return `${fullName(name, isSecure)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}${age}${secure}`;
}
