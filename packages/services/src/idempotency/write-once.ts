import { type Database, inTransaction, storeKeyWritten } from '@innkeeper/db';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { keyInProgress } from './key-in-progress.ts';
import { writtenText } from './written-text.ts';

/**
 * The transaction of a write that a request may ask for: `inTransaction`, and with an Idempotency-Key what
 * `work` gives is noted beside the key in the same transaction. So a request that repeats one which was cut
 * off after the commit gets that again, and the write is not made twice; and one that has lost its key to
 * another (it was silent for too long) commits nothing: `conflict`.
 *
 * A request makes one write. What `work` gives must be JSON and Dates.
 */
export async function writeOnce<T>(
  ctx: Pick<ServiceContext, 'db' | 'sealer' | 'claim'>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const { claim } = ctx;
  if (claim === undefined) return await inTransaction(ctx.db, work);
  if (claim.isSpent) throw new Error('A request with an Idempotency-Key makes one write.');
  claim.isSpent = true;
  if (claim.written !== undefined) return claim.written.value as T;
  return await inTransaction(ctx.db, async (trx) => {
    const written = await work(trx);
    const sealed = ctx.sealer.seal('idempotency', writtenText(written));
    if (!(await storeKeyWritten(trx, claim, sealed))) throw keyInProgress();
    return written;
  });
}
