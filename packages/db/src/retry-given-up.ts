import { setTimeout as delay } from 'node:timers/promises';

/**
 * Deadlock, lock wait timeout, and a row that changed under a reader (MariaDB with snapshot isolation). On a cluster,
 * COMMIT itself returns the first if another node won.
 */
const retryable = new Set([1213, 1205, 1020]);
const maxAttempts = 8;
const firstPauseMs = 4;
const longestPauseMs = 250;

/**
 * Runs `work` up to 8 times, with jittered backoff, if the database aborts it in favour of another transaction. So
 * `work` must have no effects that a rollback does not undo. Every other error is rethrown unchanged.
 */
export async function retryGivenUp<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
      await delay(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt));
    }
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && retryable.has(Number(error.errno));
}
