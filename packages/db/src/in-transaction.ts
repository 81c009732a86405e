import type { Kysely, Transaction } from 'kysely';
import { retryGivenUp } from './retry-given-up.ts';
import { forgetConnection, rememberConnection } from './run-compiled.ts';
import type { Database } from './schema/index.ts';

/**
 * Runs `work` in one transaction and commits it. Every statement reads the newest committed state. Retries the whole transaction like `retryGivenUp`, so `work` must have
 * no effects that a rollback does not undo. Every other error rolls back and is rethrown unchanged. Any other error of
 * COMMIT is not retried, because it is unknown whether the commit succeeded.
 */
export async function inTransaction<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return await retryGivenUp(() => runOnce(db, work));
}

async function runOnce<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const trx = await db.startTransaction().execute();
  try {
    await rememberConnection(trx);
    const result = await work(trx);
    forgetConnection(trx);
    await trx.commit().execute();
    return result;
  } catch (error) {
    forgetConnection(trx);
    // The rollback fails only if the connection is lost; then the server has rolled back. The original error is more
    // useful.
    await trx
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
}

/**
 * Dry run: runs `work` in one transaction and rolls it back. Finds the errors of a write without making it. Aborted
 * transactions are retried as in `inTransaction`. Every error is rethrown unchanged.
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
