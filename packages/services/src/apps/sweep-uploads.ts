import { type Database, deleteLostArchives, discardUpload, findStaleUploads } from '@innkeeper/db';
import type { Kysely } from 'kysely';

/** An upload is stored within minutes after it has arrived. */
const STALE_AFTER_MS = 60 * 60_000;
/** Archives are large, so one statement deletes only this many. */
const LOST_AT_ONCE = 10;

/**
 * Deletes uploads of instances that were stopped in the middle of an upload, and archives that no node will fetch any
 * more: up to `limit` releases. Returns how many.
 */
export async function sweepUploads(
  db: Kysely<Database>,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const stale = await findStaleUploads(db, new Date(now.getTime() - STALE_AFTER_MS), limit);
  for (const releaseId of stale) await discardUpload(db, releaseId);
  return stale.length + (await deleteLostArchives(db, Math.min(limit, LOST_AT_ONCE)));
}
