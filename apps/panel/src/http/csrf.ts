import { randomBytes } from 'node:crypto';
import { DomainError } from '@innkeeper/domain';
import type { MiddlewareHandler } from 'hono';
import type { PanelContext, PanelEnv } from '../env.ts';
import { readCookie, setCookie } from './cookies.ts';

/** The hidden field of every form; an upload brings it in its URL, a script in the header. */
export const CSRF_FIELD = '_csrf';
export const CSRF_HEADER = 'X-CSRF-Token';

const VISITOR = /^[\w-]{22}$/;

/**
 * A form that another site made is refused, twice over: by what the browser says of where it comes from, and
 * because it lacks the token, which is signed for this session, or for this visitor before the sign-in.
 */
export function guardForms(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (!isRead && !(isOfThisSite(c) && bringsToken(c)))
      throw new DomainError(
        'forbidden',
        'This form has expired. Go back, reload the page and submit the form again.',
      );
    await next();
  };
}

/** What a form of this page has to bring back. A visitor gets the cookie that it is signed for with the first one. */
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

function bringsToken(c: PanelContext): boolean {
  const owner = ownerOf(c);
  return owner !== undefined && c.var.deps.signer.verifies('csrf', owner, broughtToken(c));
}

function broughtToken(c: PanelContext): string {
  const inForm = c.var.form[CSRF_FIELD];
  return c.req.header(CSRF_HEADER) ?? (typeof inForm === 'string' ? inForm : c.req.query(CSRF_FIELD)) ?? '';
}

/** Browsers of today say it themselves; older ones name the origin, and what names none shows its token. */
function isOfThisSite(c: PanelContext): boolean {
  const site = c.req.header('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin';
  const origin = c.req.header('Origin');
  if (origin === undefined) return true;
  const own = `${c.var.isSecure ? 'https' : 'http'}://${c.req.header('Host')}`;
  return origin === own || origin === c.var.deps.publicUrl;
}
