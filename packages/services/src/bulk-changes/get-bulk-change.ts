import { findBulkChanges, findRefusedAccounts } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { resellerIdOf } from '../scope.ts';
import { type BulkChangeView, bulkChangeView } from './bulk-change.ts';

const SHOWN_REFUSALS = 200;
const SHOWN_CHANGES = 50;

export interface BulkChangeDetails extends BulkChangeView {
  /** The first 200 accounts that could not be changed. */
  refusals: { account_id: number; username: string | null; message: string | null }[];
}

/** A bulk change with its progress. Throws `not_found`, also for a reseller who did not begin it. */
export async function getBulkChange(
  ctx: OperatorContext,
  { bulk_change_id }: { bulk_change_id: number },
): Promise<BulkChangeDetails> {
  const [row] = await findBulkChanges(ctx.db, { user_id: beganBy(ctx), id: bulk_change_id, limit: 1 });
  if (row === undefined) throw new DomainError('not_found', 'There is no such change.');
  const refusals = row.refused === 0 ? [] : await findRefusedAccounts(ctx.db, bulk_change_id, SHOWN_REFUSALS);
  return { ...bulkChangeView(row), refusals };
}

/** The newest 50 bulk changes: a reseller sees its own, staff sees all. They are kept for 30 days. */
export async function listBulkChanges(ctx: OperatorContext): Promise<BulkChangeView[]> {
  return (await findBulkChanges(ctx.db, { user_id: beganBy(ctx), limit: SHOWN_CHANGES })).map(bulkChangeView);
}

function beganBy({ actor }: OperatorContext): number | undefined {
  return actor.role === 'reseller' ? resellerIdOf(actor) : undefined;
}
