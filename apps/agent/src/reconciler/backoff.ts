const BASE_MS = 500;
const CAP_MS = 60_000;

/**
 * How long to wait before the next attempt, in ms: 0.5 s, 1 s, 2 s, ... up to a minute or `capMs`, each ±20 % so that
 * accounts that failed together do not come back together. `failures` counts from 1; `random` is in [0, 1).
 */
export function backoffMs(failures: number, random: number, capMs = CAP_MS): number {
  const step = Math.min(capMs, BASE_MS * 2 ** Math.min(failures - 1, 20));
  return step * (0.8 + 0.4 * random);
}

/** An interval with ±10 % of jitter. */
export function jittered(intervalMs: number, random: number): number {
  return intervalMs * (0.9 + 0.2 * random);
}
