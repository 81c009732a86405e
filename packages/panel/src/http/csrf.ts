import { randomBytes } from 'node:crypto';
import { DomainError } from '@innkeeper/domain';
import type { MiddlewareHandler } from 'hono';
import type { PanelContext, PanelEnv } from '../env.ts';
import { textsFor } from '../language/language.ts';
import { readCookie, setCookie } from './cookies.ts';
import { httpTexts } from './texts/index.ts';

/** Hidden CSRF field of every form. An upload sends the token in its URL. */
export const CSRF_FIELD = '_csrf';

const VISITOR = /^[\w-]{22}$/;

/**
 * Protects forms against CSRF with two checks: the origin that the browser sends, and a token. The token is signed for
 * the session, or for the visitor before the sign-in.
 */
export function guardForms({ onExpired }: FormGuard): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (isRead || (isOfThisSite(c) && hasValidToken(c))) return await next();
    const answer = isCertainlyOfThisSite(c) ? await onExpired(c) : undefined;
    if (answer !== undefined) return answer;
    throw new DomainError('forbidden', textsFor(c, httpTexts).formExpired);
  };
}

interface FormGuard {
  /** Answers a form of this site with the token of an earlier session. Undefined: it is refused. */
  onExpired: (c: PanelContext) => Promise<Response | undefined>;
}

/** The CSRF token of the page’s forms. A visitor gets a cookie with the first token, which is signed for it. */
export function csrfToken(c: PanelContext): string {
  let token = c.var.csrfToken;
  if (token === undefined) {
    token = c.var.deps.signer.sign('csrf', ownerOf(c) ?? newVisitor(c));
    c.set('csrfToken', token);
  }
  return token;
}

type Owner = [kind: 'session', id: number] | [kind: 'visitor', name: string];

function ownerOf(c: PanelContext): Owner | undefined {
  const { signedInAs } = c.var;
  if (signedInAs !== undefined) return ['session', signedInAs.session.id];
  const visitor = readCookie(c, 'visitor');
  return visitor !== undefined && VISITOR.test(visitor) ? ['visitor', visitor] : undefined;
}

function newVisitor(c: PanelContext): Owner {
  const visitor = randomBytes(16).toString('base64url');
  setCookie(c, 'visitor', visitor);
  return ['visitor', visitor];
}

function hasValidToken(c: PanelContext): boolean {
  const owner = ownerOf(c);
  return owner !== undefined && c.var.deps.signer.verifies('csrf', owner, sentToken(c));
}

function sentToken(c: PanelContext): string {
  const inForm = c.var.form[CSRF_FIELD];
  return (typeof inForm === 'string' ? inForm : c.req.query(CSRF_FIELD)) ?? '';
}

/** Whether a read comes from another site's page. A typed address and a bookmark do not. */
export function isSentByOtherSite(c: PanelContext): boolean {
  const site = c.req.header('Sec-Fetch-Site');
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** A request with neither header depends on its CSRF token alone. */
function isOfThisSite(c: PanelContext): boolean {
  const isSilent = c.req.header('Sec-Fetch-Site') === undefined && c.req.header('Origin') === undefined;
  return isSilent || isCertainlyOfThisSite(c);
}

/** Checks Sec-Fetch-Site, else Origin. A request with neither is not certain. */
export function isCertainlyOfThisSite(c: PanelContext): boolean {
  const site = c.req.header('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin';
  const origin = c.req.header('Origin');
  const own = `${c.var.isSecure ? 'https' : 'http'}://${c.req.header('Host')}`;
  return origin === own || origin === c.var.deps.publicUrl;
}
