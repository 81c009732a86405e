import { type Database, inTransaction, storeAccountMail, storeUsagePart } from '@innkeeper/db';
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
  const { interval_start: slot, part, server, accounts, sites, mail } = report;
  if (!isUsageIntervalNear(slot, now)) return;
  const { node_id } = session;
  await inTransaction(db, async (trx) => {
    const isNew = await storeUsagePart(trx, { node_id, slot, part, server, accounts, sites });
    if (isNew) await storeAccountMail(trx, node_id, mail, now);
  });
}
