import { type Database, inTransaction, storeKeyWritten } from '@innkeeper/db';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { keyInProgress } from './claim-key.ts';
import { writtenText } from './written-text.ts';

/**
 * Runs the write of a request in a transaction with `inTransaction`. With an Idempotency-Key, the result of `work` is
 * stored with the key in the same transaction. If a request is cut off after the commit, its retry gets that result and
 * does not write twice. A request that lost its key to another one (because it did not renew its lease) commits
 * nothing: `conflict`.
 *
 * A request makes one write. The result of `work` may contain only JSON and Dates.
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
