import { TooManyAttempts } from '@innkeeper/panel';
import { type CountAttempt, signInLimits } from '@innkeeper/services';
import { networkOf } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Counts sign-in attempts in the same store as requests, so that all instances share the count. */
export function createCountAttempt(rateLimiter: RateLimiter): CountAttempt {
  return async (limit, { name, address }) => {
    const network = address === undefined ? undefined : networkOf(address);
    const bucket = [limit, name, network].filter((part) => part !== undefined).join(':');
    const { refused } = await rateLimiter.hit(bucket, signInLimits[limit]);
    if (refused !== undefined) throw new TooManyAttempts(refused.retryAfterS);
  };
}

/**
 * Counts writes of the panel in the same bucket as the user's requests to the REST API. `limit` is per minute; 0: not
 * limited.
 */
export function createCountWrite(rateLimiter: RateLimiter, limit: number): (userId: number) => Promise<void> {
  return async (userId) => {
    if (limit === 0) return;
    const { refused } = await rateLimiter.hit(`user:${userId}`, limit);
    if (refused !== undefined) throw new TooManyAttempts(refused.retryAfterS);
  };
}
