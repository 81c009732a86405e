import { type Database, deleteExpiredSessions } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import { earlier, SESSION_LIFETIME_MS } from './session-lifetime.ts';

/** Deletes up to `limit` sessions that ended long ago. Returns the number of deleted sessions. */
export async function sweepSessions(
  db: Kysely<Database>,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return await deleteExpiredSessions(db, { endedBefore: earlier(now, SESSION_LIFETIME_MS), limit });
}
