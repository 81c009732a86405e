import { DomainError } from '@innkeeper/domain';
import {
  type Brand,
  type EndUserContext,
  findSession,
  type OperatorContext,
  type ServiceContext,
  type SessionIdentity,
  type SignInContext,
  tellSessionEnd,
  type UserContext,
} from '@innkeeper/services';
import type { MiddlewareHandler } from 'hono';
import type { PanelContext, PanelEnv } from '../env.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { goTo, goToWithNotice } from './redirect.ts';

/** Finds the user of the session with one SQL statement. An invalid cookie costs no statement. */
export function recogniseSession(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    const token = readCookie(c, 'session');
    const { db, now } = c.var.deps;
    const identity = token === undefined ? null : await findSession(db, { token, now: now() });
    c.set('signedInAs', identity ?? undefined);
    c.set('brand', await brandFor(c));
    await next();
  };
}

/** Before the sign-in the host name decides, afterwards the user's reseller. */
async function brandFor(c: PanelContext): Promise<Brand> {
  const { signedInAs, deps } = c.var;
  if (signedInAs !== undefined) return await deps.brands.find({ reseller_id: signedInAs.reseller_id });
  return await deps.brands.find({ host: (c.req.header('Host') ?? '').replace(/:\d+$/, '') });
}

/** Rate limit for writes of a user, checked before the fields are read. A sign-out is never refused. */
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
type Role = SessionIdentity['user']['role'];

/** Redirects a visitor to the sign-in and then back. Other roles get the page for a missing page. */
function guardFor(...roles: readonly Role[]): Guard {
  return async (c, next) => {
    const { signedInAs } = c.var;
    if (signedInAs === undefined) return leadToSignIn(c);
    if (!roles.includes(signedInAs.user.role)) throw notFound();
    await next();
  };
}

export const signedIn = guardFor('admin', 'reseller', 'user');
/** A page of the customer's own account. Operators have no such pages. */
export const customer = guardFor('user');
/** A page for admins and resellers. A reseller sees only records in its scope. */
export const operator = guardFor('admin', 'reseller');
export const admin = guardFor('admin');

/** Context of a visitor who is not signed in. */
export function visitorContext(c: PanelContext): SignInContext {
  const { db, now, sealer, signer, countAttempt } = c.var.deps;
  const { requestId, address } = c.var;
  const userAgent = c.req.header('User-Agent') ?? '';
  const knownBrowser = readCookie(c, 'known');
  return { db, now, sealer, signer, countAttempt, requestId, address, userAgent, knownBrowser };
}

/** Context for the user’s own sessions and second factor. */
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

/** Context for the customer’s account. */
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
 * Redirects to the sign-in, which shows why the session has ended. If the session of a customer has ended that an
 * operator is logged in as, it redirects to the operator's own panel.
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

/** Returns the path if it is a path of the panel, else `/`. Prevents open redirects. */
export function ownPath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/';
  const parsed = URL.parse(path, 'https://panel.invalid');
  return parsed?.host === 'panel.invalid' ? path : '/';
}
