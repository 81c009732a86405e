import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema/index.ts';

/** Hits of a bucket in its window, which starts at the first hit. */
export interface Window {
  hits: number;
  /** Seconds until the window ends. */
  secondsLeft: number;
}

const nowMs = sql<number>`unix_timestamp(now(3)) * 1000`;

/**
 * Counts one hit of a bucket in a window of `windowS` seconds, and returns the window, including this hit. For limits
 * per hour or day. In a transaction the hit counts only if the transaction commits. For limits per minute use
 * `countHits`.
 */
export async function addToWindow(
  db: Kysely<Database>,
  { bucket, windowS }: { bucket: string; windowS: number },
): Promise<Window> {
  const end = sql<number>`${nowMs} + ${windowS * 1_000}`;
  // Columns are assigned from left to right: `hits` reads the old end of the window.
  await sql`insert into rate_limits (bucket, hits, resets_at) values (${bucket}, 1, ${end})
    on duplicate key update
      hits = if(resets_at <= ${nowMs}, 1, hits + 1),
      resets_at = if(resets_at <= ${nowMs}, ${end}, resets_at)`.execute(db);
  return (await findWindow(db, bucket)) ?? { hits: 1, secondsLeft: windowS };
}

/** Undefined if there is no window or it has ended. */
export async function findWindow(db: Kysely<Database>, bucket: string): Promise<Window | undefined> {
  const row = await db
    .selectFrom('rate_limits')
    .select(['hits', sql<number>`ceil((resets_at - ${nowMs}) / 1000)`.as('seconds_left')])
    .where('bucket', '=', bucket)
    .where('resets_at', '>', nowMs)
    .executeTakeFirst();
  return row === undefined ? undefined : { hits: row.hits, secondsLeft: Number(row.seconds_left) };
}

/** Resets the windows. */
export async function clearWindows(db: Kysely<Database>, buckets: readonly string[]): Promise<void> {
  await db.deleteFrom('rate_limits').where('bucket', 'in', buckets).execute();
}
