import { TooManyAttempts } from '@innkeeper/panel';
import { type CountAttempt, signInLimits } from '@innkeeper/services';
import { networkOf } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Counts tries to sign in where requests are counted, so that all instances share them. */
export function createCountAttempt(rateLimiter: RateLimiter): CountAttempt {
  return async (limit, whose) => {
    const caller = limit === 'sign-in-address' ? networkOf(whose) : whose;
    const { refused } = await rateLimiter.hit(`${limit}:${caller}`, signInLimits[limit]);
    if (refused !== undefined) throw new TooManyAttempts(refused.retryAfterS);
  };
}
