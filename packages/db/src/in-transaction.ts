import type { Kysely, Transaction } from 'kysely';
import { retryGivenUp } from './retry-given-up.ts';
import type { Database } from './schema/index.ts';

export interface TransactionOptions {
  /** `snapshot`: every statement sees the database as it was at the first one. Default: as it is. */
  reads?: 'snapshot';
}

/**
 * Runs `work` in one transaction and commits it; again from its first statement as `retryGivenUp` says, so
 * `work` must do nothing that a rollback does not undo. Every other error rolls back and is thrown as it is.
 * An error of COMMIT other than those is not retried: whether it took place is unknown.
 */
export async function inTransaction<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return await retryGivenUp(() => runOnce(db, work, options));
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

/**
 * Runs `work` in one transaction and rolls it back: finds out what a write would be refused for, without making it.
 * Given-up transactions are repeated as by `inTransaction`; every error is thrown as it is.
 */
export async function rehearse(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<unknown>,
): Promise<void> {
  await retryGivenUp(async () => {
    const trx = await db.startTransaction().execute();
    try {
      await work(trx);
    } finally {
      await trx
        .rollback()
        .execute()
        .catch(() => undefined);
    }
  });
}
