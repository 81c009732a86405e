import { DomainError } from '@innkeeper/domain';
import {
  type EndUserContext,
  findSession,
  type OperatorContext,
  type ServiceContext,
  type SignInContext,
  tellSessionEnd,
  type UserContext,
} from '@innkeeper/services';
import type { MiddlewareHandler } from 'hono';
import type { PanelContext, PanelEnv } from '../env.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { goTo } from './go-to.ts';
import { goToWithNotice } from './notice.ts';

export { goTo };

/** Finds out who is signed in, in one statement; garbage costs none. */
export function recogniseSession(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const token = readCookie(c, 'session');
    const { db, now } = c.var.deps;
    const identity = token === undefined ? null : await findSession(db, { token, now: now() });
    c.set('signedInAs', identity ?? undefined);
    await next();
  };
}

/** Refuses writes of a user who makes too many, before their fields are read. Nobody is kept from signing out. */
export function limitWrites(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const { signedInAs } = c.var;
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (!isRead && signedInAs !== undefined && c.req.path !== '/logout')
      await c.var.deps.countWrite(signedInAs.user.id);
    await next();
  };
}

type Guard = MiddlewareHandler<PanelEnv>;

/** Leads a visitor to the sign-in, and back. */
export const signedIn: Guard = async (c, next) => {
  if (c.var.signedInAs === undefined) return leadToSignIn(c);
  await next();
};

/** A page of the customer's own account. Operators have no such pages. */
export const customer: Guard = async (c, next) => {
  const { signedInAs } = c.var;
  if (signedInAs === undefined) return leadToSignIn(c);
  if (signedInAs.user.role !== 'user') throw notFound();
  await next();
};

/** A page of admins and resellers: of the latter, of what is in their scope. */
export const operator: Guard = async (c, next) => {
  const { signedInAs } = c.var;
  if (signedInAs === undefined) return leadToSignIn(c);
  if (signedInAs.user.role === 'user') throw notFound();
  await next();
};

export const admin: Guard = async (c, next) => {
  const { signedInAs } = c.var;
  if (signedInAs === undefined) return leadToSignIn(c);
  if (signedInAs.user.role !== 'admin') throw notFound();
  await next();
};

/** Somebody at the door. */
export function visitorContext(c: PanelContext): SignInContext {
  const { db, now, sealer, signer, countAttempt } = c.var.deps;
  const { requestId, address } = c.var;
  const userAgent = c.req.header('User-Agent') ?? '';
  const knownBrowser = readCookie(c, 'known');
  return { db, now, sealer, signer, countAttempt, requestId, address, userAgent, knownBrowser };
}

/** Of what is the user's own: sessions, the second factor. */
export function userContext(c: PanelContext): UserContext {
  const { db, now, sealer, countAttempt } = c.var.deps;
  const { requestId, address } = c.var;
  const { user, session } = identityOf(c);
  return {
    db,
    now,
    sealer,
    countAttempt,
    requestId,
    actor: { userId: user.id, tokenId: null, address },
    sessionId: session.id,
  };
}

/** Of the customer's account. */
export function customerContext(c: PanelContext): EndUserContext {
  const { user, account_id, session } = identityOf(c);
  if (user.role !== 'user' || account_id === null) throw notFound();
  const { address } = c.var;
  return {
    ...sharedContext(c),
    actor: { userId: user.id, role: 'user', accountId: account_id, tokenId: null, address },
    sessionId: session.id,
    sessionMethod: session.method,
    countAttempt: c.var.deps.countAttempt,
  };
}

export function operatorContext(c: PanelContext): OperatorContext {
  const { user } = identityOf(c);
  if (user.role === 'user') throw notFound();
  const { address } = c.var;
  return { ...sharedContext(c), actor: { userId: user.id, role: user.role, tokenId: null, address } };
}

function sharedContext(c: PanelContext): Omit<ServiceContext, 'actor'> {
  const { db, now, sealer, appTemplates, gitAllowedNetworks, wakeNode, askNode, refreshUsage, names } =
    c.var.deps;
  const { requestId } = c.var;
  return {
    db,
    now,
    sealer,
    appTemplates,
    gitAllowedNetworks,
    wakeNode,
    askNode,
    refreshUsage,
    names,
    requestId,
  };
}

function identityOf(c: PanelContext) {
  const { signedInAs } = c.var;
  if (signedInAs === undefined) throw new DomainError('unauthenticated', 'Sign in first.');
  return signedInAs;
}

function notFound(): DomainError {
  return new DomainError('not_found', 'There is no such page.');
}

/**
 * To the sign-in, which says why the session that the browser came with is over; an operator whose customer's session
 * is over, to its own panel.
 */
export async function leadToSignIn(c: PanelContext): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const back =
    c.req.method === 'GET' && pathname !== '/' ? `?next=${encodeURIComponent(pathname + search)}` : '';
  const token = readCookie(c, 'session');
  if (token === undefined || token === '') return goTo(c, `/login${back}`);
  const { db, now } = c.var.deps;
  const operatorToken = readCookie(c, 'operator') ?? '';
  clearCookie(c, 'operator');
  if ((await findSession(db, { token: operatorToken, now: now() })) !== null) {
    setCookie(c, 'session', operatorToken);
    return goToWithNotice(c, '/', 'The customer’s session has ended. You are back in your own panel.');
  }
  clearCookie(c, 'session');
  return goToWithNotice(c, `/login${back}`, await tellSessionEnd(db, { token, now: now() }));
}

/** A path of the panel itself, or `/`: nobody is led elsewhere by a link that was made for it. */
export function ownPath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/';
  const parsed = URL.parse(path, 'https://panel.invalid');
  return parsed?.host === 'panel.invalid' ? path : '/';
}
