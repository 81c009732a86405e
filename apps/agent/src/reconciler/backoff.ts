const BASE_MS = 500;
const CAP_MS = 60_000;

/**
 * Returns the backoff before the next attempt, in ms: 0.5 s, 1 s, 2 s, ... up to one minute or `capMs`. Each delay has
 * ±20 % of jitter, so that accounts that failed together do not retry together. `failures` counts from 1; `random` is
 * in [0, 1).
 */
export function backoffMs(failures: number, random: number, capMs = CAP_MS): number {
  const step = Math.min(capMs, BASE_MS * 2 ** Math.min(failures - 1, 20));
  return step * (0.8 + 0.4 * random);
}

/** Returns an interval with ±10 % of jitter. */
export function jittered(intervalMs: number, random: number): number {
  return intervalMs * (0.9 + 0.2 * random);
}
