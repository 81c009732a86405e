import { expect, it } from 'vitest';
import { createLocalRateLimiter } from './local-rate-limiter.ts';

it('it counts each caller for a minute from its first request', async () => {
  const state = { now: 1_000_500 };
  const limiter = createLocalRateLimiter(() => state.now);
  const hit = () => limiter.hit('health:192.0.2.1', 2);
  expect([(await hit()).remaining, (await hit()).remaining]).toEqual([1, 0]);
  state.now += 10_000;
  expect((await hit()).refused).toEqual({ retryAfterS: 50, resetsAtS: 1_061 });
  expect((await limiter.hit('health:192.0.2.2', 2)).refused).toBeUndefined();
  state.now += 50_000;
  expect((await hit()).remaining).toBe(1);
});
