import { RATE_LIMIT_WINDOW_S } from '@innkeeper/db';
import type { RateLimiter } from './rate-limiter.ts';

const WINDOW_MS = RATE_LIMIT_WINDOW_S * 1000;
const MAX_WINDOWS = 10_000;

/** Counts only for this instance: for endpoints that must answer while the database does not. */
export function createLocalRateLimiter(now: () => number = Date.now): RateLimiter {
  const windows = new Map<string, { endMs: number; hits: number }>();
  const windowOf = (bucket: string) => {
    const known = windows.get(bucket);
    if (known !== undefined && now() < known.endMs) return known;
    windows.delete(bucket);
    const oldest = windows.keys().next().value;
    if (windows.size >= MAX_WINDOWS && oldest !== undefined) windows.delete(oldest);
    const opened = { endMs: now() + WINDOW_MS, hits: 0 };
    windows.set(bucket, opened);
    return opened;
  };
  return {
    hit: async (bucket, limit) => {
      const window = windowOf(bucket);
      window.hits += 1;
      if (window.hits <= limit) return { limit, remaining: limit - window.hits, refused: undefined };
      const retryAfterS = Math.max(1, Math.ceil((window.endMs - now()) / 1000));
      return { limit, remaining: 0, refused: { retryAfterS, resetsAtS: Math.ceil(window.endMs / 1000) } };
    },
  };
}
