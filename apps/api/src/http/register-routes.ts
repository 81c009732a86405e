import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from '@innkeeper/contract';
import { sessionToken } from '@innkeeper/panel';
import type { Context, Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { Env, Step } from './env.ts';
import { jsonAnswer } from './json-response.ts';
import { redirectResponse } from './redirect-response.ts';
import { authenticate, requireAbility } from './request/authenticate.ts';
import { idempotency } from './request/idempotency.ts';
import { rateLimit } from './request/rate-limit.ts';
import type { IncomingForm } from './request/receive-file.ts';
import { type RequireRecord, validateBody, validateParams, validateQuery } from './request/validate.ts';
import {
  type Asked,
  OtherStatus,
  Redirect,
  type Route,
  type RouteRequest,
  type Routes,
  type Visitor,
} from './route.ts';
import { serviceContext } from './server/service-context.ts';
import { methodNotAllowed } from './unmatched.ts';

/**
 * Registers every route of the contract's table. The order of the steps is the order of the refusals: token, address,
 * rate, ability, record, fields. The service checks the policy.
 */
export function registerRoutes(app: Hono<Env>, deps: Deps, routes: Routes): void {
  const guard = authenticate(deps);
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const route = routes[name as EndpointName] as Route<EndpointName>;
    const requireRecord: RequireRecord = async (c, fields) =>
      route.requireRecord?.(asked(c, deps, endpoint), fields);
    const { access } = endpoint;
    const checks: Step[] = [];
    if (access !== 'public' && access !== 'signed' && access !== 'token') checks.push(requireAbility(access));
    if (endpoint.params !== undefined) checks.push(validateParams(endpoint.params));
    if (endpoint.query !== undefined) checks.push(validateQuery(endpoint.query, requireRecord));
    if (endpoint.body !== undefined) checks.push(validateBody(endpoint.body, requireRecord));
    // Built from the inside out: each step wraps the work so far, or runs before it.
    let work: Step = async (c) =>
      keepAnswer(c, await route.answer(routeRequest(c, deps, endpoint)), endpoint.status);
    if (endpoint.method !== 'GET') work = idempotency(deps, endpoint, requireRecord, work);
    const { upload: field } = endpoint;
    const accountIdOf = async (c: Context<Env>) => route.uploadAccountId?.(asked(c, deps, endpoint));
    if (field !== undefined) work = takeUpload(deps, { field, accountIdOf }, work);
    work = rateLimit(deps, name as EndpointName, endpoint, inTurn([...checks, work]));
    if (access !== 'public' && access !== 'signed') work = inTurn([guard, work]);
    const template = API_PREFIX + endpoint.path;
    app.on(endpoint.method, [honoPath(endpoint)], async (c) => {
      c.set('route', template);
      await work(c);
    });
  }
  for (const [path, methods] of methodsByPath()) app.all(path, methodNotAllowed(methods));
}

/**
 * Runs the steps one after the other. This is cheaper than Hono middlewares: each of those waits for the next one with
 * two more promises.
 */
function inTurn(steps: readonly Step[]): Step {
  return async (c) => {
    for (const step of steps) await step(c);
  };
}

function keepAnswer(c: Context<Env>, body: unknown, status: number): void {
  if (body instanceof Redirect) c.res = redirectResponse(body);
  else if (body instanceof OtherStatus) c.set('answer', jsonAnswer(body.status, body.body));
  else c.set('answer', jsonAnswer(status, body));
}

/**
 * The union of all routes' requests is narrower than each of them. The caller that registers a route knows its name.
 */
function asked(c: Context<Env>, deps: Deps, { access }: Endpoint): Asked<EndpointName> {
  const identity = c.get('identity');
  const validated = c.req as unknown as { valid(part: string): never };
  return {
    deps,
    services: deps.services,
    params: validated.valid('param'),
    identity: identity as never,
    context: (identity === undefined ? undefined : serviceContext(c, deps, identity)) as never,
    visitor: (access === 'signed' ? visitor(c, deps) : undefined) as never,
  };
}

function visitor(c: Context<Env>, { db, now, sealer, signer, isSecure: secures }: Deps): Visitor {
  const { requestId, address } = c.var;
  const { socket } = c.env.incoming;
  const isSecure = secures(socket.remoteAddress, 'encrypted' in socket, c.req.header('X-Forwarded-Proto'));
  const session = sessionToken(c.req.header('Cookie'), isSecure);
  return {
    db,
    now,
    sealer,
    signer,
    requestId,
    address,
    userAgent: c.req.header('User-Agent') ?? '',
    replaces: session === undefined ? [] : [session],
    session,
    isSecure,
    onlyLooks: c.req.method === 'HEAD',
  };
}

function routeRequest(c: Context<Env>, deps: Deps, endpoint: Endpoint): RouteRequest<EndpointName> {
  const validated = c.req as unknown as { valid(part: string): never };
  return {
    ...asked(c, deps, endpoint),
    query: validated.valid('query'),
    body: validated.valid('json'),
    upload: c.get('upload') as never,
  };
}

/** Reads nothing: the body stays unread until a step reads it. */
function incomingForm(c: Context<Env>): IncomingForm {
  return {
    contentType: c.req.header('Content-Type'),
    contentLength: c.req.header('Content-Length'),
    get body() {
      return c.req.raw.body;
    },
  };
}

/** Reads nothing of the body before the record is known to accept it. */
function takeUpload(
  { uploads, requestTimeoutMs }: Deps,
  { field, accountIdOf }: { field: string; accountIdOf: (c: Context<Env>) => Promise<number | undefined> },
  work: Step,
): Step {
  return async (c) => {
    c.get('extendDeadline')(uploads.timeoutMs + requestTimeoutMs);
    const accountId = await accountIdOf(c);
    if (accountId === undefined) throw new Error('A route that takes a file says for which account.');
    await using upload = await uploads.receive(incomingForm(c), { field, accountId });
    c.set('upload', upload);
    await work(c);
  };
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    const path = honoPath(endpoint);
    const both = endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method];
    methods.set(path, [...(methods.get(path) ?? []), ...both]);
  }
  return methods;
}

function honoPath({ path }: Endpoint): string {
  return API_PREFIX + path.replaceAll(/\{(\w+)\}/g, ':$1');
}
