import { getCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';
import type { PanelContext } from '../env.ts';

/**
 * The panel's cookies (all HttpOnly). `session`: token of the session. `operator`: session of an operator who is logged
 * in as a customer. `challenge`: a sign-in that waits for a code. `visitor`: a visitor without a session. `known`: an
 * earlier sign-in with this browser. `notice`: message for the next page.
 */
export type CookieName = 'session' | 'operator' | 'challenge' | 'visitor' | 'known' | 'notice';

/**
 * The cookie with the session's token. It lasts until the browser is closed; the database decides when the session
 * ends. SameSite=Lax: links from other sites keep the session, forms from other sites do not.
 */
export function sessionCookie(token: string, isSecure: boolean): string {
  return cookieText('session', token, isSecure);
}

/**
 * Reads the tokens of a browser's sessions from a `Cookie` header: its own session, and the operator's session to
 * return to.
 */
export function sessionTokens(
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

/** `maxAgeS` undefined: the cookie lasts until the browser is closed. */
export function setCookie(c: PanelContext, name: CookieName, value: string, maxAgeS?: number): void {
  c.header('Set-Cookie', cookieText(name, value, c.var.isSecure, maxAgeS), { append: true });
}

export function clearCookie(c: PanelContext, name: CookieName): void {
  setCookie(c, name, '', 0);
}

/**
 * Under HTTPS the name has the prefix `__Host-`: browsers then require Secure and Path=/, and accept the cookie only
 * from this host.
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
