import { type Database, inTransaction, storeUsagePart } from '@innkeeper/db';
import { isUsageIntervalNear } from '@innkeeper/domain';
import type { UsageReport } from '@innkeeper/protocol';
import type { Kysely } from 'kysely';
import { type NodeSession, requireNewestSession } from '../nodes/node-session.ts';

/**
 * Stores a part of what a node used in an interval, once: a repeated part changes nothing, whichever instance gets it.
 * Ignores an interval that is not near `now`. Throws like `requireNewestSession`.
 */
export async function storeUsage(
  db: Kysely<Database>,
  { report, now, ...session }: NodeSession & { report: UsageReport; now: Date },
): Promise<void> {
  await requireNewestSession(db, session);
  const { interval_start: slot, part, server, accounts, sites } = report;
  if (!isUsageIntervalNear(slot, now)) return;
  const { node_id } = session;
  await inTransaction(db, (trx) => storeUsagePart(trx, { node_id, slot, part, server, accounts, sites }));
}
