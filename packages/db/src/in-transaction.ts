import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema/index.ts';

/**
 * Deadlock, lock wait timeout, and a row that changed under a reader (MariaDB with snapshot isolation).
 * On a cluster COMMIT itself answers the first when another node won.
 */
const retryable = new Set([1213, 1205, 1020]);
const maxAttempts = 8;
const firstPauseMs = 4;
const longestPauseMs = 250;

export interface TransactionOptions {
  /** `snapshot`: every statement sees the database as it was at the first one. Default: as it is. */
  reads?: 'snapshot';
}

/**
 * Runs `work` in one transaction and commits it. When the database gives it up for the sake of another
 * transaction it is run again from its first statement, up to 8 times, with jittered pauses; so `work`
 * must do nothing that a rollback does not undo. Every other error rolls back and is thrown as it is.
 * An error of COMMIT other than those is not retried: whether it took place is unknown.
 */
export async function inTransaction<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(db, work, options);
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
      await delay(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt));
    }
  }
}

async function runOnce<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const builder = db.startTransaction();
  const trx = await (options.reads === 'snapshot'
    ? builder.setIsolationLevel('repeatable read')
    : builder
  ).execute();
  try {
    const result = await work(trx);
    await trx.commit().execute();
    return result;
  } catch (error) {
    // It fails only when the connection is gone, and then the server has rolled back; what matters is why.
    await trx
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && retryable.has(Number(error.errno));
}
