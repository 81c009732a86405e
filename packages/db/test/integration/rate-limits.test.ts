import { countHits, deleteEndedRateLimits } from '@innkeeper/db';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 100 });
});
afterAll(() => database.drop());

let serial = 0;
const fresh = () => `user:${++serial}`;
const hit = (bucket: string, limit = 3, hits = 1) => countHits(database.db, { bucket, hits, limit });
const rowOf = (bucket: string) =>
  database.db.selectFrom('rate_limits').selectAll().where('bucket', '=', bucket).executeTakeFirstOrThrow();
const databaseSeconds = async () => {
  const { rows } = await sql<{ now: number }>`select unix_timestamp(now(3)) as now`.execute(database.db);
  return Number(rows[0]?.now);
};
const endWindow = (bucket: string, inMs: number) =>
  sql`update rate_limits set resets_at = cast(unix_timestamp(now(3)) * 1000 as signed) + ${inMs} where bucket = ${bucket}`.execute(
    database.db,
  );

test('each hit returns the number of hits before it, up to the limit, and the end of the window', async () => {
  const bucket = fresh();
  const before = await databaseSeconds();
  const answers = [];
  for (let i = 0; i < 5; i++) answers.push(await hit(bucket));
  expect(answers.map((answer) => answer.before)).toEqual([0, 1, 2, 3, 3]);
  const { resets_at } = await rowOf(bucket);
  expect(resets_at / 1000 - before).toBeGreaterThanOrEqual(59.9);
  expect(resets_at / 1000 - before).toBeLessThan(62);
  for (const answer of answers) expect(answer.resetsAtS).toBe(Math.ceil(resets_at / 1000));
  expect(answers[0]?.retryAfterS).toBe(60);
});

test('the remaining seconds are whole and at least 1', async () => {
  const bucket = fresh();
  await hit(bucket);
  await endWindow(bucket, 30_500);
  expect((await hit(bucket)).retryAfterS).toBeOneOf([30, 31]);
  await endWindow(bucket, 900);
  expect((await hit(bucket)).retryAfterS).toBe(1);
  // Simulates a statement that waited for the statement that opened the window.
  await endWindow(bucket, 64_000);
  expect((await hit(bucket)).retryAfterS).toBe(60);
});

test('the first hit after the end of a window starts a new window', async () => {
  const bucket = fresh();
  for (let i = 0; i < 4; i++) await hit(bucket);
  await endWindow(bucket, 0);
  const now = await databaseSeconds();
  const first = await hit(bucket);
  expect(first).toMatchObject({ before: 0, retryAfterS: 60 });
  expect(first.resetsAtS - now).toBeGreaterThanOrEqual(59.9);
  expect(await hit(bucket)).toEqual({ ...first, before: 1, retryAfterS: expect.any(Number) });
});

test('one call may count several hits', async () => {
  const bucket = fresh();
  expect((await hit(bucket, 10, 7)).before).toBe(0);
  expect((await hit(bucket, 10, 7)).before).toBe(7);
  expect((await hit(bucket, 10, 7)).before).toBe(10);
  await endWindow(bucket, 0);
  expect((await hit(bucket, 10, 7)).before).toBe(0);
  expect((await rowOf(bucket)).hits).toBe(7);
});

test('a full window is not written again', async () => {
  const bucket = fresh();
  for (let i = 0; i < 5; i++) await hit(bucket);
  expect((await rowOf(bucket)).hits).toBe(3);
});

test('100 concurrent hits are each counted once, also with the highest limit', async () => {
  for (const limit of [60, 30_000]) {
    const bucket = fresh();
    const answers = await Promise.all(Array.from({ length: 100 }, () => hit(bucket, limit)));
    const expected = Array.from({ length: 100 }, (_, i) => Math.min(i, limit));
    expect(answers.map(({ before }) => before).sort((a, b) => a - b)).toEqual(expected);
  }
});

test('100 concurrent callers have a window each', async () => {
  const buckets = Array.from({ length: 100 }, fresh);
  const answers = await Promise.all(buckets.map((bucket) => hit(bucket)));
  expect(new Set(answers.map(({ before }) => before))).toEqual(new Set([0]));
});

test('callers differ by every character', async () => {
  const buckets = ['health:2001:db8::/64', 'health:2001:DB8::/64', 'health:'];
  for (const bucket of buckets) expect((await hit(bucket)).before, bucket).toBe(0);
});

test('a sweep deletes ended windows only, at most as many as requested', async () => {
  await database.db.deleteFrom('rate_limits').execute();
  const buckets = Array.from({ length: 5 }, fresh);
  for (const bucket of buckets) await hit(bucket);
  for (const bucket of buckets.slice(0, 3)) await endWindow(bucket, 0);
  expect(await deleteEndedRateLimits(database.db, 2)).toBe(2);
  expect(await deleteEndedRateLimits(database.db, 2)).toBe(1);
  expect(await deleteEndedRateLimits(database.db, 2)).toBe(0);
  const left = await database.db.selectFrom('rate_limits').select('bucket').orderBy('bucket').execute();
  expect(left.map(({ bucket }) => bucket)).toEqual(buckets.slice(3));
});

test('a sweep beside hits that start new windows loses no hit', async () => {
  const buckets = Array.from({ length: 20 }, fresh);
  for (let round = 0; round < 5; round++) {
    await Promise.all(buckets.map((bucket) => hit(bucket, 5)));
    await database.db.updateTable('rate_limits').set({ resets_at: 1 }).execute();
    const [answers] = await Promise.all([
      Promise.all(buckets.flatMap((bucket) => [hit(bucket, 5), hit(bucket, 5)])),
      deleteEndedRateLimits(database.db, 100),
      deleteEndedRateLimits(database.db, 100),
    ]);
    const counts = answers.map(({ before }) => before).sort((a, b) => a - b);
    expect(counts).toEqual([...Array(20).fill(0), ...Array(20).fill(1)]);
  }
});
