import { type Database, deleteLostArchives, discardUpload, findStaleUploads } from '@innkeeper/db';
import type { Kysely } from 'kysely';

/** An upload is stored within minutes once it has arrived. */
const STALE_AFTER_MS = 60 * 60_000;
const AT_ONCE = 20;

/**
 * Removes what instances left behind that were stopped in the middle of an upload, and archives that nobody
 * will ask for any more. Answers how many it removed; what is more than a few is left to the next time.
 */
export async function sweepUploads({ db, now }: { db: Kysely<Database>; now: Date }): Promise<number> {
  const stale = await findStaleUploads(db, new Date(now.getTime() - STALE_AFTER_MS), AT_ONCE);
  for (const releaseId of stale) await discardUpload(db, releaseId);
  return stale.length + (await deleteLostArchives(db, AT_ONCE));
}
