import { generateCookie, getCookie, setCookie as setHonoCookie } from 'hono/cookie';
import { type CookieOptions, parse } from 'hono/utils/cookie';
import type { PanelContext } from '../env.ts';

/**
 * The panel's cookies (all HttpOnly). `session`: token of the session. `challenge`: a sign-in that waits for a code.
 * `link`: a mailed link that sets a password. `visitor`: a visitor without a session. `known`: an
 * earlier sign-in with this browser. `notice`: message for the next page. `theme`: light or dark, if the user chose
 * one. `language`: the language that the user chose. `rows`: the rows of a page of a list. `unsent`: a form whose
 * session had ended, sealed.
 */
export type CookieName =
  | 'session'
  | 'challenge'
  | 'link'
  | 'visitor'
  | 'known'
  | 'notice'
  | 'theme'
  | 'language'
  | 'rows'
  | 'unsent';

/**
 * The cookie with the session's token. It lasts until the browser is closed; the database decides when the session
 * ends. SameSite=Lax: links from other sites keep the session, forms from other sites do not.
 */
export function sessionCookie(token: string, isSecure: boolean): string {
  return generateCookie(nameOf('session'), token, optionsOf('session', isSecure));
}

/** Reads the token of the browser's session from a `Cookie` header. */
export function sessionToken(header: string | undefined, isSecure: boolean): string | undefined {
  return parse(header ?? '')[(isSecure ? '__Host-' : '') + nameOf('session')];
}

/** Cookies that the pages as a customer have for themselves. They share the others with the operator's own pages. */
const APART = new Set<CookieName>(['notice', 'unsent']);

export function readCookie(c: PanelContext, name: CookieName): string | undefined {
  const { asCustomer, isSecure } = c.var;
  if (asCustomer !== undefined && APART.has(name)) return readCustomerCookie(c, asCustomer.session_id, name);
  return getCookie(c, nameOf(name), isSecure ? 'host' : undefined);
}

/** `maxAgeS` undefined: the cookie lasts until the browser is closed. */
export function setCookie(c: PanelContext, name: CookieName, value: string, maxAgeS?: number): void {
  const { asCustomer, isSecure } = c.var;
  if (asCustomer !== undefined && APART.has(name)) {
    setCustomerCookie(c, asCustomer.session_id, value, { name, maxAgeS });
    return;
  }
  const options = optionsOf(name, isSecure);
  setHonoCookie(c, nameOf(name), value, maxAgeS === undefined ? options : { ...options, maxAge: maxAgeS });
}

/** A cookie of the pages of one session as a customer. Without a `name`: the session's token. */
export function readCustomerCookie(
  c: PanelContext,
  sessionId: number,
  name?: CookieName,
): string | undefined {
  return getCookie(c, customerNameOf(sessionId, name), c.var.isSecure ? 'secure' : undefined);
}

/**
 * The browser sends the cookie to the pages of this session only. The prefix is `__Secure-`, because `__Host-` allows no
 * path.
 */
export function setCustomerCookie(
  c: PanelContext,
  sessionId: number,
  value: string,
  { name, maxAgeS }: { name?: CookieName; maxAgeS?: number | undefined } = {},
): void {
  setHonoCookie(c, customerNameOf(sessionId, name), value, {
    path: `${customerPath(sessionId)}/`,
    httpOnly: true,
    sameSite: 'Strict',
    ...(c.var.isSecure ? { prefix: 'secure', secure: true } : {}),
    ...(maxAgeS === undefined ? {} : { maxAge: maxAgeS }),
  });
}

/** Where the pages of a session as a customer begin. */
export function customerPath(sessionId: number): string {
  return `/as/${sessionId}`;
}

function customerNameOf(sessionId: number, name?: CookieName): string {
  return name === undefined ? `innkeeper_as_${sessionId}` : `innkeeper_as_${sessionId}_${name}`;
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
