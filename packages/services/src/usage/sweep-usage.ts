import { type Database, deleteSlotsBefore, deleteUsageBefore } from '@innkeeper/db';
import { oldestSiteDay, oldestUsageSlot, USAGE_STEPS_S, type UsageStep } from '@innkeeper/domain';
import type { Kysely } from 'kysely';

/** Rows are narrow and lie together, and 100,000 accounts make 100,000 of them in 5 minutes. */
const ROWS_FOR_ONE = 10;

/**
 * Deletes history that is older than it is kept, up to ten times `limit` rows of each kind. Returns `limit` if more may
 * be left, otherwise 0.
 */
export async function sweepUsage(
  db: Kysely<Database>,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const rows = limit * ROWS_FOR_ONE;
  const deleted: number[] = [];
  for (const step of Object.keys(USAGE_STEPS_S) as UsageStep[]) {
    const before = { step, slot: oldestUsageSlot(step, now), limit: rows };
    deleted.push(await deleteUsageBefore(db, 'account_usage', before));
    deleted.push(await deleteUsageBefore(db, 'server_usage', before));
  }
  deleted.push(await deleteSlotsBefore(db, 'site_usage', { slot: oldestSiteDay(now), limit: rows }));
  const slot = oldestUsageSlot('sample', now);
  deleted.push(await deleteSlotsBefore(db, 'usage_parts', { slot, limit: rows }));
  return deleted.some((count) => count === rows) ? limit : 0;
}
