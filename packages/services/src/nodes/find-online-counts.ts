import { countNodes, type Database } from '@innkeeper/db';
import type { Kysely } from 'kysely';

/** The number of nodes, and of nodes that sent a heartbeat within the last 45 s, by database time. */
export async function findOnlineCounts(db: Kysely<Database>): Promise<{ total: number; online: number }> {
  return countNodes(db);
}
