import { type Kysely, type RawBuilder, sql } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import { retryGivenUp } from '../retry-given-up.ts';
import type { Database } from '../schema/index.ts';

/** What a limit may be at most: more does not fit beside the times that are handed back with the hits. */
export const RATE_LIMIT_MAX = 30_000;
/** How long a window is. */
export const RATE_LIMIT_WINDOW_S = 60;

export interface CountedHits {
  /** Hits of the same window before these; the limit where there were more. */
  before: number;
  /** Whole seconds until the window is over, from 1 to 60. */
  retryAfterS: number;
  /** Seconds since 1970 at which it is over, by the database's clock. */
  resetsAtS: number;
}

// `before` has 15 bits, the seconds that are left 6, the end of the window 32: a number that is exact.
const BEFORE = 2 ** 15;
const LEFT = 2 ** 6;

const windowS = sql.lit(RATE_LIMIT_WINDOW_S);
/** With milliseconds; the same in the whole statement. */
const nowS = sql<number>`unix_timestamp(now(3))`;
const nowMs = sql<number>`${nowS} * 1000`;
const nextEnd = sql<number>`(${nowS} + ${windowS}) * 1000`;

/**
 * Counts hits of one caller in its window of a minute, which begins with the first of them, and answers
 * where they stand: one statement, exact for all instances. A caller whose window is full is not counted any
 * further, so that refusing it writes nothing.
 *
 * The statement answers with its insert id (MySQL has no INSERT … RETURNING). It comes with most requests, and
 * each of them writes its text out: it is short. Columns are assigned from left to right, so `hits` sees the
 * row as it was.
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
    // A statement that waited for the one which opened the window may find it longer than a minute.
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

/** What the statement hands back, in one number; never 0. */
function standing({ endS, leftS, before }: Record<'endS' | 'leftS' | 'before', RawBuilder<unknown>>) {
  return sql<number>`(${endS}) * ${sql.lit(LEFT * BEFORE)} + ${leftS} * ${sql.lit(BEFORE)} + ${before}`;
}

/** Removes up to `limit` windows that are over. Answers how many it removed. */
export async function deleteEndedRateLimits(db: Kysely<Database>, limit: number): Promise<number> {
  const ended = await db
    .selectFrom('rate_limits')
    .select('bucket')
    .where('resets_at', '<=', nowMs)
    .orderBy('resets_at')
    .limit(limit)
    .execute();
  if (ended.length === 0) return 0;
  // By primary key, as hits lock them: in the index's order the two would wait for each other.
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
