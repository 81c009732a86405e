import { type Endpoint, type EndpointName, type RateLimitName, rateLimits } from '@innkeeper/contract';
import { canonicalRange } from '@innkeeper/domain';
import type { Context } from 'hono';
import type { Deps } from '../../deps.ts';
import type { Env, Step } from '../env.ts';
import { HttpError } from '../error-response.ts';
import { createLocalRateLimiter } from './local-rate-limiter.ts';
import type { RateLimiter, Standing } from './rate-limiter.ts';

type Limiting = Pick<Deps, 'rateLimiter' | 'rateLimits' | 'metrics'>;

/** Endpoints that report whether the service runs, also while its database does not. */
const answersWithoutDatabase: ReadonlySet<EndpointName> = new Set(['health', 'ready']);
/** How long such a request waits for the shared count before this instance counts it alone. */
const COUNT_TIMEOUT_MS = 500;

/**
 * Refuses with 429 a caller that has made too many requests within a minute, and tells all other callers how many are
 * left. A read runs concurrently with its count, so the count adds no latency; its answer is discarded if the count
 * refuses. Writes and the sign-in wait for their count.
 */
export function rateLimit(deps: Limiting, name: EndpointName, endpoint: Endpoint, answer: Step): Step {
  const limitName = endpoint.limit;
  const limit = deps.rateLimits[limitName];
  if (limit === 0) return answer;
  const limiter = answersWithoutDatabase.has(name)
    ? orCountedHere(deps.rateLimiter, createLocalRateLimiter())
    : deps.rateLimiter;
  const onlyReads = endpoint.method === 'GET' && endpoint.access !== 'signed';
  return async (c) => {
    const counting = limiter.hit(bucketOf(c, limitName), limit);
    const answering = onlyReads ? answer(c) : undefined;
    const [counted] = await Promise.allSettled([counting, answering]);
    if (counted.status === 'rejected') throw counted.reason;
    const standing = counted.value;
    if (standing.refused !== undefined) {
      deps.metrics.rateLimited.inc({ limit: limitName });
      throw tooMany(standing, standing.refused);
    }
    Object.assign(c.get('headers'), limitHeaders(standing));
    await (answering ?? answer(c));
  };
}

function bucketOf(c: Context<Env>, name: RateLimitName): string {
  return `${name}:${rateLimits[name].per === 'user' ? c.get('identity')?.user.id : networkOf(c.get('address'))}`;
}

/** A client with one IPv6 address controls its whole /64 network: 2^64 addresses. */
export function networkOf(address: string): string {
  return address.includes(':') ? (canonicalRange(`${address}/64`) ?? address) : address;
}

function orCountedHere(shared: RateLimiter, local: RateLimiter): RateLimiter {
  return {
    hit: async (bucket, limit) => {
      const { promise: counted, resolve, reject } = Promise.withResolvers<Standing>();
      const timer = setTimeout(reject, COUNT_TIMEOUT_MS);
      shared.hit(bucket, limit).then(resolve, reject);
      try {
        return await counted;
      } catch {
        return await local.hit(bucket, limit);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function limitHeaders({ limit, remaining }: Standing): Record<string, string> {
  return { 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(remaining) };
}

function tooMany(standing: Standing, refused: NonNullable<Standing['refused']>): HttpError {
  return new HttpError(429, 'Too Many Attempts.', {
    ...limitHeaders(standing),
    'Retry-After': String(refused.retryAfterS),
    'X-RateLimit-Reset': String(refused.resetsAtS),
  });
}
