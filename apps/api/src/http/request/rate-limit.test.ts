import { DatabaseUnreachableError } from '@innkeeper/domain';
import { expect, it } from 'vitest';
import { ask } from '../../../test/ask.ts';
import { type FakeOptions, fakeDeps } from '../../../test/fake-deps.ts';
import { createApp } from '../../app.ts';
import { createLocalRateLimiter } from './local-rate-limiter.ts';
import type { RateLimiter, Standing } from './rate-limiter.ts';

/** Counts in memory, and records the buckets. */
function appWith(options: FakeOptions = {}) {
  const counted: string[] = [];
  const limiter = createLocalRateLimiter(() => 1_795_221_457_000);
  const rateLimiter: RateLimiter = {
    hit: (bucket, limit) => {
      counted.push(bucket);
      return limiter.hit(bucket, limit);
    },
  };
  const deps = fakeDeps({ rateLimiter, rateLimits: { user: 2, health: 2, sso: 2 }, ...options });
  return { app: createApp(deps), deps, counted };
}
const limitsOf = ({ headers }: { headers: Headers }) =>
  ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`));

it('a success shows the remaining requests, and requests over the limit are refused', async () => {
  const { app, deps } = appWith();
  const me = () => ask(app, { path: '/auth/me', token: 'admin' });
  expect(limitsOf(await me())).toEqual(['2', '1', null]);
  expect(limitsOf(await me())).toEqual(['2', '0', null]);
  const refused = await me();
  expect([refused.status, refused.body]).toEqual([429, { message: 'Too Many Attempts.' }]);
  expect(limitsOf(refused)).toEqual(['2', '0', '1795221517']);
  expect(refused.headers.get('Retry-After')).toBe('60');
  expect(await deps.metrics.registry.metrics()).toContain('rate_limited_requests_total{limit="user"} 1');
});

it('the tokens of a user count together, and each user separately', async () => {
  const { app, counted } = appWith();
  for (const token of ['admin', 'empty', 'reseller']) await ask(app, { path: '/auth/me', token });
  expect(counted).toEqual(['user:1', 'user:1', 'user:9']);
});

it('the check comes after token and address, which do not count, and before everything else, which counts', async () => {
  const { app, counted } = appWith();
  for (const [token, status] of [
    [undefined, 401],
    ['revoked', 401],
    ['allowlisted', 403],
  ] as const)
    expect((await ask(app, { path: '/packages', token })).status).toBe(status);
  expect(counted).toEqual([]);

  const noAbility = await ask(app, { path: '/packages', token: 'empty' });
  const noRecord = await ask(app, { path: '/packages/2', token: 'admin' });
  expect([noAbility.status, noRecord.status]).toEqual([403, 404]);
  expect([limitsOf(noAbility)[1], limitsOf(noRecord)[1]]).toEqual(['1', '0']);
  for (const question of [
    { path: '/packages', token: 'empty' },
    { path: '/packages/2', token: 'admin' },
    { path: '/accounts', token: 'admin', method: 'POST', body: '{bad' },
  ])
    expect((await ask(app, question)).status).toBe(429);
});

it('/health counts per client address; an IPv6 network counts as one address', async () => {
  const { app, counted } = appWith();
  const health = (address: string) => ask(app, { path: '/health', address });
  for (const address of ['::ffff:192.0.2.1', '192.0.2.2', '2001:db8:1:2:3::4', '2001:db8:1:2::5'])
    expect((await health(address)).status).toBe(200);
  expect(counted).toEqual([
    'health:192.0.2.1',
    'health:192.0.2.2',
    'health:2001:db8:1:2::/64',
    'health:2001:db8:1:2::/64',
  ]);
  expect((await health('2001:db8:1:2:ffff::')).status).toBe(429);
});

it('a read runs while its count is stored, a write only after it', async () => {
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<Standing>();
  const rateLimiter: RateLimiter = { hit: () => promise };
  const { app } = appWith({
    rateLimiter,
    services: {
      listPackages: async () => {
        order.push('read');
        return [];
      },
      removeDomain: async () => {
        order.push('write');
        return { view: {}, nodeId: 1, accountId: 1, generation: 1 };
      },
    },
  });
  const reading = ask(app, { path: '/packages', token: 'admin' });
  const writing = ask(app, { path: '/domains/1', method: 'DELETE', token: 'admin' });
  await expect.poll(() => order).toEqual(['read']);
  order.push('counted');
  resolve({ limit: 2, remaining: 1, refused: undefined });
  expect([(await reading).status, (await writing).status]).toEqual([200, 200]);
  expect(order).toEqual(['read', 'counted', 'write']);
});

it('a refusal discards the answer that was made meanwhile', async () => {
  const rateLimiter: RateLimiter = {
    hit: async (_bucket, limit) => ({ limit, remaining: 0, refused: { retryAfterS: 9, resetsAtS: 99 } }),
  };
  const { app } = appWith({ rateLimiter });
  const reply = await ask(app, { path: '/packages', token: 'admin' });
  expect([reply.status, reply.body]).toEqual([429, { message: 'Too Many Attempts.' }]);
});

it('without the database it answers 503, except for /health and /ready, which count in the process', async () => {
  const rateLimiter: RateLimiter = {
    hit: async () => {
      throw new DatabaseUnreachableError('db', new Error('gone'));
    },
  };
  const { app } = appWith({ rateLimiter });
  const ofUser = await ask(app, { path: '/auth/me', token: 'admin' });
  expect([ofUser.status, ofUser.body.message]).toEqual([503, 'Service Unavailable']);
  for (const path of ['/health', '/ready']) {
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await ask(app, { path, token: 'admin' }));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  }
});

it('a database that does not answer delays /health only briefly', async () => {
  const { app } = appWith({ rateLimiter: { hit: () => new Promise(() => {}) } });
  const startedAt = performance.now();
  expect((await ask(app, { path: '/health' })).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

it('a limit of 0 turns rate limiting off: no count and no header', async () => {
  const { app, counted } = appWith({ rateLimits: { user: 0, health: 0, sso: 0 } });
  const reply = await ask(app, { path: '/auth/me', token: 'admin' });
  expect([reply.status, limitsOf(reply), counted]).toEqual([200, [null, null, null], []]);
});
