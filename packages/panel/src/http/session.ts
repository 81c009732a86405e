import { type Action, DomainError, isStaffRole, may, staffRoles } from '@innkeeper/domain';
import {
  type Brand,
  type EndUserContext,
  findSession,
  type LinkVisitor,
  type OperatorContext,
  type ServiceContext,
  type SessionIdentity,
  type SignInContext,
  tellSessionEnd,
  type UserContext,
} from '@innkeeper/services';
import type { MiddlewareHandler } from 'hono';
import type { PanelContext, PanelEnv } from '../env.ts';
import { languageOf, textsFor } from '../language/language.ts';
import { uiTexts } from '../ui/texts/index.ts';
import { clearCookie, readCookie } from './cookies.ts';
import { goTo, goToWithNotice } from './redirect.ts';
import { httpTexts } from './texts/index.ts';

/** Finds the user of the session with one SQL statement. An invalid cookie costs no statement. */
export function recogniseSession(): MiddlewareHandler<PanelEnv> {
  return async (c, next) => {
    c.set('signedInAs', c.var.asCustomer?.identity ?? (await findOwnSession(c)));
    c.set('brand', await brandFor(c));
    await next();
  };
}

/**
 * Whether the session of this request still exists, for a connection that outlives the request. Counts as a use of the
 * session.
 */
export async function isStillSignedIn(c: PanelContext): Promise<boolean> {
  const { asCustomer, signedInAs } = c.var;
  const found = asCustomer === undefined ? await findOwnSession(c) : await asCustomer.find();
  return found !== undefined && found.session.id === signedInAs?.session.id;
}

/** A session as a customer is valid below its own path only: see `registerAsCustomer`. */
async function findOwnSession(c: PanelContext): Promise<SessionIdentity | undefined> {
  const token = readCookie(c, 'session');
  const { db, now } = c.var.deps;
  const identity = token === undefined ? null : await findSession(db, { token, now: now() });
  return identity === null || identity.session.operator_session_id !== null ? undefined : identity;
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
    if (!isRead && signedInAs !== undefined && c.req.path !== '/logout' && !isFileUpload(c.req.path))
      await c.var.deps.countWrite(signedInAs.user.id);
    await next();
  };
}

/** A folder has thousands of files. They are limited by the channels that a session may have. */
function isFileUpload(path: string): boolean {
  return path.startsWith('/files/uploads');
}

type Guard = MiddlewareHandler<PanelEnv>;
type Role = SessionIdentity['user']['role'];

/** Redirects a visitor to the sign-in and then back. Other roles get the page for a missing page. */
function guardFor(...roles: readonly Role[]): Guard {
  return async (c, next) => {
    const { signedInAs } = c.var;
    if (signedInAs === undefined) return leadToSignIn(c);
    if (!roles.includes(signedInAs.user.role)) throw notFound(c);
    await next();
  };
}

export const signedIn = guardFor(...staffRoles, 'reseller', 'user');
/** A page of the customer's own account. Operators have no such pages. */
export const customer = guardFor('user');
/** A page for staff and resellers. A reseller sees only records in its scope. */
export const operator = guardFor(...staffRoles, 'reseller');
/** A page that all staff may read. */
export const staff = guardFor(...staffRoles);
export const admin = guardFor('admin');

const guarded = new WeakMap<object, Action>();

/**
 * The guard of a page that is only there for an action, and of its form: for the roles that may do it. Resellers and
 * customers without the right get the page for a missing page, staff is refused.
 */
export function allowed(action: Action): Guard {
  const guard: Guard = async (c, next) => {
    const { signedInAs } = c.var;
    if (signedInAs === undefined) return leadToSignIn(c);
    const { role } = signedInAs.user;
    if (!may(role, action)) {
      if (!isStaffRole(role)) throw notFound(c);
      throw new DomainError('forbidden', textsFor(c, httpTexts).roleNotAllowed);
    }
    await next();
  };
  guarded.set(guard, action);
  return guard;
}

/** Whether the signed-in user may do an action. For what a page shows; the services refuse. */
export function mayDo(c: PanelContext, action: Action): boolean {
  const { signedInAs } = c.var;
  return signedInAs !== undefined && may(signedInAs.user.role, action);
}

/** Whether the signed-in user may send a form to this path. */
export function maySend(c: PanelContext, path: string): boolean {
  const action = c.var.actionOfForm(path);
  return action === undefined || mayDo(c, action);
}

/** The action of a route's guard. Undefined for another handler. */
export function actionOf(handler: object): Action | undefined {
  return guarded.get(handler);
}

/** Context of a visitor who is not signed in. */
export function visitorContext(c: PanelContext): SignInContext {
  const { db, now, sealer, signer, countAttempt } = c.var.deps;
  const { requestId, address } = c.var;
  const userAgent = c.req.header('User-Agent') ?? '';
  const knownBrowser = readCookie(c, 'known');
  const language = languageOf(c);
  return { db, now, sealer, signer, countAttempt, requestId, address, userAgent, knownBrowser, language };
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
    actor: { userId: user.id, tokenId: null, address, operatorUserId: session.operator_user_id ?? undefined },
    sessionId: session.id,
  };
}

/** Context for the customer’s account. */
export function customerContext(c: PanelContext): EndUserContext {
  const { user, account_id, session } = identityOf(c);
  if (user.role !== 'user' || account_id === null) throw notFound(c);
  const { address } = c.var;
  return {
    ...sharedContext(c),
    actor: {
      userId: user.id,
      role: 'user',
      accountId: account_id,
      tokenId: null,
      address,
      operatorUserId: session.operator_user_id ?? undefined,
    },
    sessionId: session.id,
    sessionMethod: session.method,
    countAttempt: c.var.deps.countAttempt,
  };
}

export function operatorContext(c: PanelContext): OperatorContext {
  const { user } = identityOf(c);
  if (user.role === 'user') throw notFound(c);
  const { address } = c.var;
  return { ...sharedContext(c), actor: { userId: user.id, role: user.role, tokenId: null, address } };
}

/** The operator's session, for one that it opens as a customer. */
export function operatorSession(c: PanelContext): { user_id: number; session_id: number } {
  const { user, session } = identityOf(c);
  return { user_id: user.id, session_id: session.id };
}

/** Context of a visitor with a mailed link. */
export function linkVisitorContext(c: PanelContext): LinkVisitor {
  return { ...sharedContext(c), address: c.var.address };
}

function sharedContext(c: PanelContext): Omit<ServiceContext, 'actor'> {
  const { deps, requestId } = c.var;
  const { db, now, sealer, appTemplates, gitAllowedNetworks, wakeNode, askNode } = deps;
  const { refreshUsage, names, passwordHashes } = deps;
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
    passwordHashes,
    requestId,
  };
}

function identityOf(c: PanelContext) {
  const { signedInAs } = c.var;
  if (signedInAs === undefined) throw new DomainError('unauthenticated', textsFor(c, httpTexts).signInFirst);
  return signedInAs;
}

function notFound(c: PanelContext): DomainError {
  return new DomainError('not_found', textsFor(c, uiTexts).missingPage);
}

/**
 * Redirects to the sign-in, which shows why the session has ended. `after`: the page to open after the sign-in
 * instead of the requested one, and what to say.
 */
export async function leadToSignIn(
  c: PanelContext,
  after?: { next: string; sentence: string },
): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const next = after?.next ?? (c.req.method === 'GET' && pathname !== '/' ? pathname + search : '/');
  const signInPath = next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
  const token = readCookie(c, 'session');
  if (token === undefined || token === '')
    return after === undefined ? goTo(c, signInPath) : goToWithNotice(c, signInPath, after.sentence);
  const { db, now } = c.var.deps;
  clearCookie(c, 'session');
  const sentence = after?.sentence ?? (await tellSessionEnd(db, { token, now: now() }));
  return goToWithNotice(c, signInPath, sentence);
}

/** Returns the path if it is a path of the panel, else `/`. Prevents open redirects. */
export function ownPath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/';
  const parsed = URL.parse(path, 'https://panel.invalid');
  return parsed?.host === 'panel.invalid' ? path : '/';
}
