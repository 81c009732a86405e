import { type Database, deleteExpiredSessions } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import { earlier, SESSION_LIFETIME_MS } from './session-lifetime.ts';

/** Removes up to `limit` sessions that ended long enough ago for nobody to ask why. Answers how many it removed. */
export async function sweepSessions(
  db: Kysely<Database>,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return await deleteExpiredSessions(db, { endedBefore: earlier(now, SESSION_LIFETIME_MS), limit });
}
