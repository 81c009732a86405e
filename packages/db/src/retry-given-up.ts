import { setTimeout as delay } from 'node:timers/promises';

/**
 * Deadlock, lock wait timeout, and a row that changed under a reader (MariaDB with snapshot isolation).
 * On a cluster COMMIT itself answers the first when another node won.
 */
const retryable = new Set([1213, 1205, 1020]);
const maxAttempts = 8;
const firstPauseMs = 4;
const longestPauseMs = 250;

/**
 * Runs `work` again when the database gave it up for the sake of another transaction, up to 8 times, with
 * jittered pauses; so `work` must do nothing that a rollback does not undo. Every other error is thrown as
 * it is.
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
