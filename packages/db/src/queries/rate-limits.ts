import { type Kysely, type RawBuilder, sql } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import { retryGivenUp } from '../retry-given-up.ts';
import type { Database } from '../schema/index.ts';

/** Maximum value of a limit. A larger one does not fit into the returned number beside the times. */
export const RATE_LIMIT_MAX = 30_000;
/** Length of a window in seconds. */
export const RATE_LIMIT_WINDOW_S = 60;

export interface CountedHits {
  /** Hits of the same window before these; the limit if there were more. */
  before: number;
  /** Whole seconds until the window ends, from 1 to 60. */
  retryAfterS: number;
  /** End of the window in seconds since 1970, by the database's clock. */
  resetsAtS: number;
}

// `before` has 15 bits, the remaining seconds 6, the end of the window 32: together an exact number.
const BEFORE = 2 ** 15;
const LEFT = 2 ** 6;

const windowS = sql.lit(RATE_LIMIT_WINDOW_S);
/** In seconds with millisecond precision. Constant within a statement. */
const nowS = sql<number>`unix_timestamp(now(3))`;
const nowMs = sql<number>`${nowS} * 1000`;
const nextEnd = sql<number>`(${nowS} + ${windowS}) * 1000`;

/**
 * Counts hits of one caller in its window of one minute, which starts at the first hit, and returns the state of the
 * window. One SQL statement, exact across all instances. A caller whose window is full is not counted further, so that
 * refusing it writes nothing.
 *
 * The statement returns its result as the insert id (MySQL has no INSERT … RETURNING). It runs for most requests and is
 * sent as text each time, so it is short. Columns are assigned from left to right, so `hits` reads the old row.
 */
export async function countHits(
  db: Kysely<Database>,
  hit: { bucket: string; hits: number; limit: number },
): Promise<CountedHits> {
  const { insertId } = await retryGivenUp(() => addHits(db, hit));
  const answer = Number(insertId);
  return {
    before: answer % BEFORE,
    retryAfterS: Math.floor(answer / BEFORE) % LEFT,
    resetsAtS: Math.floor(answer / BEFORE / LEFT),
  };
}

const addHits = compileOnce(
  (db, { bucket, hits, limit }: { bucket: string; hits: number; limit: number }) => {
    const isOver = sql<boolean>`resets_at <= ${nowMs}`;
    const opened = standing({ endS: sql`ceil(${nowS}) + ${windowS}`, leftS: windowS, before: sql.lit(0) });
    // A statement that waited for the one that opened the window can see a window longer than one minute.
    const known = standing({
      endS: sql`ceil(resets_at / 1000)`,
      leftS: sql`least(ceil(resets_at / 1000 - ${nowS}), ${windowS})`,
      before: sql`least(hits, ${limit})`,
    });
    return sql`insert into rate_limits (bucket, hits, resets_at)
      values (${bucket}, if(last_insert_id(${opened}) > 0, ${hits}, 0), ${nextEnd})
      on duplicate key update
        hits = if(last_insert_id(if(${isOver}, ${opened}, ${known})) > 0,
          if(${isOver}, ${hits}, if(hits >= ${limit}, hits, hits + ${hits})), 0),
        resets_at = if(${isOver}, ${nextEnd}, resets_at)`.compile(db);
  },
);

/** The statement's result, packed into one number; never 0. */
function standing({ endS, leftS, before }: Record<'endS' | 'leftS' | 'before', RawBuilder<unknown>>) {
  return sql<number>`(${endS}) * ${sql.lit(LEFT * BEFORE)} + ${leftS} * ${sql.lit(BEFORE)} + ${before}`;
}

/** Deletes up to `limit` windows that have ended. Returns how many. */
export async function deleteEndedRateLimits(db: Kysely<Database>, limit: number): Promise<number> {
  const ended = await db
    .selectFrom('rate_limits')
    .select('bucket')
    .where('resets_at', '<=', nowMs)
    .orderBy('resets_at')
    .limit(limit)
    .execute();
  if (ended.length === 0) return 0;
  // Deletes by primary key, because hits lock rows by primary key. In the order of the index the two would deadlock.
  const { numDeletedRows } = await db
    .deleteFrom('rate_limits')
    .where(
      'bucket',
      'in',
      ended.map(({ bucket }) => bucket),
    )
    .where('resets_at', '<=', nowMs)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
