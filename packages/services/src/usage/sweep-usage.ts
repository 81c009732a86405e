import {
  type Database,
  deleteAccountDaysBefore,
  deleteAccountUsage,
  deleteServerUsage,
  deleteSiteUsage,
  deleteSlotsBefore,
  deleteUsageBefore,
  findUsageOrphans,
  inTransaction,
} from '@innkeeper/db';
import {
  oldestSiteDay,
  oldestUsageSlot,
  USAGE_STEPS_S,
  type UsageStep,
  usageSlotOf,
} from '@innkeeper/domain';
import type { Kysely } from 'kysely';

/** Rows are narrow and lie together, and 100,000 accounts make 100,000 of them in 5 minutes. */
const ROWS_FOR_ONE = 10;

/**
 * Deletes history that is older than it is kept, up to ten times `limit` rows of each kind, and that of removed accounts,
 * servers and domains. Returns `limit` if more may be left, otherwise 0.
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
  deleted.push(
    await deleteAccountDaysBefore(db, { before: new Date(oldestUsageSlot('day', now) * 1_000), limit: rows }),
  );
  const slot = oldestUsageSlot('sample', now);
  deleted.push(await deleteSlotsBefore(db, 'usage_parts', { slot, limit: rows }));
  const hasOrphansLeft = await sweepOrphans(db, now);
  return hasOrphansLeft || deleted.some((count) => count === rows) ? limit : 0;
}

/** Removed accounts, servers and domains whose rows one sweep deletes, of each kind. */
const ORPHANS = 100;

/**
 * Deletes what was stored for accounts, servers and domains at the moment of their removal. An interval is at most an
 * hour old when it is stored, so its day is today or yesterday. Returns whether more may be left.
 */
async function sweepOrphans(db: Kysely<Database>, now: Date): Promise<boolean> {
  const today = usageSlotOf('day', Math.floor(now.getTime() / 1_000));
  const wanted = { days: [today, today - USAGE_STEPS_S.day], limit: ORPHANS };
  const accounts = await findUsageOrphans(db, 'accounts', wanted);
  const nodes = await findUsageOrphans(db, 'nodes', wanted);
  const domains = await findUsageOrphans(db, 'domains', wanted);
  for (const id of accounts) await inTransaction(db, (trx) => deleteAccountUsage(trx, id, now));
  for (const id of nodes) await inTransaction(db, (trx) => deleteServerUsage(trx, id, now));
  await inTransaction(db, (trx) => deleteSiteUsage(trx, domains, now));
  return [accounts, nodes, domains].some(({ length }) => length === ORPHANS);
}
