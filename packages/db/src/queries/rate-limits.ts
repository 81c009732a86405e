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

const windowMs = sql.lit(RATE_LIMIT_WINDOW_S * 1000);
const nowMs = sql<number>`cast(unix_timestamp(now(3)) * 1000 as signed)`;
const nextEnd = sql<number>`${nowMs} + ${windowMs}`;

/**
 * Counts hits of one caller in its window of a minute, which begins with the first of them, and answers
 * where they stand: one statement, exact for all instances. A caller whose window is full is not counted any
 * further, so that refusing it writes nothing.
 *
 * The statement answers with its insert id (MySQL has no INSERT … RETURNING). Both columns are computed from
 * the row as it was, whichever the server assigns first.
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
    const isOver = sql<boolean>`rate_limits.resets_at <= ${nowMs}`;
    const fresh = answering(sql`0`, nextEnd, sql`${hits}`);
    const again = answering(
      sql`if(${isOver}, 0, least(rate_limits.hits, ${limit}))`,
      sql`if(${isOver}, ${nextEnd}, rate_limits.resets_at)`,
      sql`case when ${isOver} then ${hits}
        when rate_limits.hits >= ${limit} then rate_limits.hits
        else rate_limits.hits + ${hits} end`,
    );
    return sql`insert into rate_limits (bucket, hits, resets_at) values (${bucket}, ${fresh}, ${nextEnd})
      on duplicate key update hits = ${again}, resets_at = if(${isOver}, ${nextEnd}, rate_limits.resets_at)`.compile(
      db,
    );
  },
);

/** `hits`, and on the way hands `before` and the window's end back as the insert id. */
function answering(
  before: RawBuilder<unknown>,
  endMs: RawBuilder<unknown>,
  hits: RawBuilder<unknown>,
): RawBuilder<number> {
  const left = sql`least(greatest(ceil((${endMs} - ${nowMs}) / 1000), 1), ${sql.lit(RATE_LIMIT_WINDOW_S)})`;
  const answer = sql`(ceil((${endMs}) / 1000) * ${sql.lit(LEFT)} + ${left}) * ${sql.lit(BEFORE)} + ${before}`;
  return sql<number>`if(last_insert_id(cast(${answer} as signed)) > 0, ${hits}, 0)`;
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
