import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../../deps.ts';
import type { Env } from '../env.ts';
import { responseOf } from '../json-response.ts';

/** A browser that received this header uses only HTTPS for this host for one year. */
const onlyHttps = { 'Strict-Transport-Security': 'max-age=31536000' };

/**
 * The outermost step. It gives the request an id and its client's address, and afterwards writes one log line and the
 * metrics. The line contains the route's template; it contains no path, query, header or body, because these can hold
 * secrets.
 */
export function observeRequest(
  deps: Pick<Deps, 'logger' | 'metrics' | 'clientAddress' | 'isSecure'>,
): MiddlewareHandler<Env> {
  const { logger, metrics, clientAddress, isSecure } = deps;
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const { socket } = c.env.incoming;
    const { remoteAddress } = socket;
    c.set('requestId', requestId);
    c.set('headers', {
      'X-Request-Id': requestId,
      ...(isSecure(remoteAddress, 'encrypted' in socket, c.req.header('X-Forwarded-Proto')) ? onlyHttps : {}),
    });
    c.set('address', clientAddress(remoteAddress, c.req.header('X-Forwarded-For')));
    metrics.requestsInFlight.inc();
    try {
      await next();
    } finally {
      metrics.requestsInFlight.dec();
    }
    sealAnswer(c);

    const ms = performance.now() - startedAt;
    const { status } = c.res;
    const route = c.get('route') ?? 'unmatched';
    const { method } = c.req;
    metrics.requestSeconds.observe({ method: knownMethod(method), route, status }, ms / 1000);
    const identity = c.get('identity');
    const line = {
      request_id: requestId,
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      address: c.get('address'),
      user_id: (identity ?? c.get('signedInAs'))?.user.id,
      token_id: identity?.token.id,
    };
    if (status >= 500) logger.error({ ...line, err: c.error }, 'request failed');
    else logger.info(line, 'request');
  };
}

/** Creates the response: all headers are known now. Refusals and documents are responses already. */
function sealAnswer(c: Context<Env>): void {
  const answer = c.get('answer');
  const headers = c.get('headers');
  if (answer !== undefined && !c.finalized) c.res = responseOf(answer, headers);
  else for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
}

/** Untrusted: the client chooses the method. An unknown method must not become a time series. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other';
}
