import { generateCookie, getCookie, setCookie as setHonoCookie } from 'hono/cookie';
import { type CookieOptions, parse } from 'hono/utils/cookie';
import type { PanelContext } from '../env.ts';

/**
 * The panel's cookies (all HttpOnly). `session`: token of the session. `operator`: session of an operator who is logged
 * in as a customer. `challenge`: a sign-in that waits for a code. `link`: a mailed link
 * that sets a password. `visitor`: a visitor without a session. `known`: an
 * earlier sign-in with this browser. `notice`: message for the next page. `theme`: light or dark, if the user chose
 * one. `language`: the language that the user chose. `unsent`: a form whose
 * session had ended, sealed.
 */
export type CookieName =
  | 'session'
  | 'operator'
  | 'challenge'
  | 'link'
  | 'visitor'
  | 'known'
  | 'notice'
  | 'theme'
  | 'language'
  | 'unsent';

/**
 * The cookie with the session's token. It lasts until the browser is closed; the database decides when the session
 * ends. SameSite=Lax: links from other sites keep the session, forms from other sites do not.
 */
export function sessionCookie(token: string, isSecure: boolean): string {
  return generateCookie(nameOf('session'), token, optionsOf('session', isSecure));
}

/**
 * Reads the tokens of a browser's sessions from a `Cookie` header: its own session, and the operator's session to
 * return to.
 */
export function sessionTokens(
  header: string | undefined,
  isSecure: boolean,
): { session: string | undefined; operator: string | undefined } {
  const cookies = parse(header ?? '');
  const prefix = isSecure ? '__Host-' : '';
  return { session: cookies[prefix + nameOf('session')], operator: cookies[prefix + nameOf('operator')] };
}

export function readCookie(c: PanelContext, name: CookieName): string | undefined {
  return getCookie(c, nameOf(name), c.var.isSecure ? 'host' : undefined);
}

/** `maxAgeS` undefined: the cookie lasts until the browser is closed. */
export function setCookie(c: PanelContext, name: CookieName, value: string, maxAgeS?: number): void {
  const options = optionsOf(name, c.var.isSecure);
  setHonoCookie(c, nameOf(name), value, maxAgeS === undefined ? options : { ...options, maxAge: maxAgeS });
}

export function clearCookie(c: PanelContext, name: CookieName): void {
  setCookie(c, name, '', 0);
}

function nameOf(name: CookieName): string {
  return `innkeeper_${name}`;
}

/**
 * Under HTTPS the name has the prefix `__Host-`: browsers then require Secure and Path=/, and accept the cookie only
 * from this host.
 */
function optionsOf(name: CookieName, isSecure: boolean): CookieOptions {
  const sameSite = name === 'session' || name === 'notice' || name === 'link' ? 'Lax' : 'Strict';
  return { path: '/', httpOnly: true, sameSite, ...(isSecure ? { prefix: 'host', secure: true } : {}) };
}
