import { countNodes, type Database } from '@innkeeper/db';
import type { Kysely } from 'kysely';

/** How many nodes there are, and how many sent a heartbeat within the last 45 s, by database time. */
export async function findOnlineCounts(db: Kysely<Database>): Promise<{ total: number; online: number }> {
  return countNodes(db);
}
