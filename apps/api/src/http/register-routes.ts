import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from '@innkeeper/contract';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { authenticate, requireAbility } from './authenticate.ts';
import type { Env } from './env.ts';
import { idempotency } from './idempotency.ts';
import { jsonAnswer } from './json-response.ts';
import { rateLimit } from './rate-limit.ts';
import type { IncomingForm } from './receive-file.ts';
import { redirectResponse } from './redirect-response.ts';
import {
  type Asked,
  OtherStatus,
  Redirect,
  type Route,
  type RouteRequest,
  type Routes,
  type Visitor,
} from './route.ts';
import { serviceContext } from './service-context.ts';
import { methodNotAllowed } from './unmatched.ts';
import { type RequireRecord, validateBody, validateParams, validateQuery } from './validate.ts';

/**
 * Makes every route of the contract's table. The order of the steps is the order in which refusals are
 * said: token, address, rate, ability, record, fields; policy is the service's.
 */
export function registerRoutes(app: Hono<Env>, deps: Deps, routes: Routes): void {
  const guard = authenticate(deps);
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const route = routes[name as EndpointName] as Route<EndpointName>;
    const requireRecord: RequireRecord = async (c, fields) =>
      route.requireRecord?.(asked(c, deps, endpoint), fields);
    const steps: MiddlewareHandler<Env>[] = [nameRoute(endpoint)];
    const { access } = endpoint;
    if (access !== 'public' && access !== 'signed') steps.push(guard);
    steps.push(rateLimit(deps, name as EndpointName, endpoint));
    if (access !== 'public' && access !== 'signed' && access !== 'token') steps.push(requireAbility(access));
    if (endpoint.params !== undefined) steps.push(validateParams(endpoint.params));
    if (endpoint.query !== undefined) steps.push(validateQuery(endpoint.query, requireRecord));
    if (endpoint.body !== undefined) steps.push(validateBody(endpoint.body, requireRecord));
    if (endpoint.upload !== undefined) steps.push(takeUpload(deps, endpoint.upload, requireRecord));
    if (endpoint.method !== 'GET') steps.push(idempotency(deps, endpoint, requireRecord));
    steps.push(async (c) => answer(c, await route.answer(routeRequest(c, deps, endpoint)), endpoint.status));
    app.on(endpoint.method, [honoPath(endpoint)], ...steps);
  }
  for (const [path, methods] of methodsByPath()) app.all(path, methodNotAllowed(methods));
}

function answer(c: Context<Env>, body: unknown, status: number): Response | undefined {
  if (body instanceof Redirect) return redirectResponse(body);
  c.set(
    'answer',
    body instanceof OtherStatus ? jsonAnswer(body.status, body.body) : jsonAnswer(status, body),
  );
  return undefined;
}

function nameRoute(endpoint: Endpoint): MiddlewareHandler<Env> {
  const route = API_PREFIX + endpoint.path;
  return async (c, next) => {
    c.set('route', route);
    await next();
  };
}

/** The union of all routes' requests is narrower than any of them: who registers a route knows its name. */
function asked(c: Context<Env>, deps: Deps, { access }: Endpoint): Asked<EndpointName> {
  const identity = c.get('identity');
  const validated = c.req as unknown as { valid(part: string): never };
  return {
    deps,
    params: validated.valid('param'),
    identity: identity as never,
    context: (identity === undefined ? undefined : serviceContext(c, deps, identity)) as never,
    visitor: (access === 'signed' ? visitor(c, deps) : undefined) as never,
  };
}

function visitor(c: Context<Env>, { db, now, sealer, signer, isSecure }: Deps): Visitor {
  const { requestId, address } = c.var;
  const { socket } = c.env.incoming;
  return {
    db,
    now,
    sealer,
    signer,
    requestId,
    address,
    userAgent: c.req.header('User-Agent') ?? '',
    isSecure: isSecure(socket.remoteAddress, 'encrypted' in socket, c.req.header('X-Forwarded-Proto')),
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

/** Touches nothing: a body that nobody asks for is not read. */
function incomingForm(c: Context<Env>): IncomingForm {
  return {
    contentType: c.req.header('Content-Type'),
    contentLength: c.req.header('Content-Length'),
    get body() {
      return c.req.raw.body;
    },
  };
}

/** Nothing of the body is taken before it is known that the record may have it. */
function takeUpload(
  { uploads, requestTimeoutMs }: Deps,
  field: string,
  requireRecord: RequireRecord,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.var.extendDeadline(uploads.timeoutMs + requestTimeoutMs);
    await requireRecord(c, undefined);
    await using upload = await uploads.receive(incomingForm(c), field);
    c.set('upload', upload);
    await next();
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
