export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Share by which a delay varies in both directions, so that what failed together does not retry together. */
  readonly jitter?: number;
}

/** For passes, reports and sessions. */
export const RETRY: Backoff = { firstMs: 500, longestMs: 60_000, jitter: 0.2 };

/**
 * Returns the delay before the next attempt, in ms. It doubles with each failure. `failures` counts from 1; `random` is
 * in [0, 1).
 */
export function backoffMs(
  { firstMs, longestMs, jitter = 0 }: Backoff,
  failures: number,
  random = 0.5,
): number {
  const delayMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return delayMs * (1 + jitter * (2 * random - 1));
}

/** Returns an interval with ±10 % of jitter. */
export function jittered(intervalMs: number, random: number): number {
  return intervalMs * (0.9 + 0.2 * random);
}
