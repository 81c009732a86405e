import type { CountedHits } from '@innkeeper/db';
import { expect, it } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

const RESETS_AT_S = 1_795_221_517;

/** A fake database with a window for each bucket. It answers when the test allows it. */
function rig() {
  const windows = new Map<string, number>();
  const asked: { bucket: string; hits: number }[] = [];
  let gate = Promise.resolve();
  const state = { now: 0, fails: false };
  const limiter = createRateLimiter(
    async ({ bucket, hits, limit }): Promise<CountedHits> => {
      asked.push({ bucket, hits });
      await gate;
      if (state.fails) throw new Error('no database');
      const before = Math.min(windows.get(bucket) ?? 0, limit);
      windows.set(bucket, before >= limit ? before : before + hits);
      return { before, retryAfterS: 60 - Math.floor(state.now / 1000), resetsAtS: RESETS_AT_S };
    },
    () => state.now,
  );
  const close = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { limiter, asked, state, windows, close };
}

it('it admits requests up to the limit, and returns how many remain', async () => {
  const { limiter } = rig();
  const standings = [];
  for (let i = 0; i < 4; i++) standings.push(await limiter.hit('user:1', 3));
  expect(standings.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
  expect(standings.map(({ refused }) => refused !== undefined)).toEqual([false, false, false, true]);
  expect(standings[3]?.refused).toEqual({ retryAfterS: 60, resetsAtS: RESETS_AT_S });
});

it('requests that arrive during a statement count with the next one, in their order', async () => {
  const { limiter, asked, close } = rig();
  const open = close();
  const hits = Array.from({ length: 100 }, () => limiter.hit('user:1', 60));
  open();
  const standings = await Promise.all(hits);
  expect(asked).toEqual([
    { bucket: 'user:1', hits: 1 },
    { bucket: 'user:1', hits: 99 },
  ]);
  expect(standings.map(({ remaining }) => remaining)).toEqual([
    ...Array.from({ length: 60 }, (_, i) => 59 - i),
    ...Array(40).fill(0),
  ]);
  expect(standings.filter(({ refused }) => refused === undefined)).toHaveLength(60);
});

it('one caller does not wait for another', async () => {
  const { limiter, asked } = rig();
  await Promise.all([limiter.hit('user:1', 3), limiter.hit('user:2', 3)]);
  expect(asked).toEqual([
    { bucket: 'user:1', hits: 1 },
    { bucket: 'user:2', hits: 1 },
  ]);
});

it('it refuses without a query above the limit, until one second before the end of the window', async () => {
  const { limiter, asked, state, windows } = rig();
  for (let i = 0; i < 3; i++) await limiter.hit('user:1', 2);
  state.now = 30_400;
  expect((await limiter.hit('user:1', 2)).refused).toEqual({ retryAfterS: 30, resetsAtS: RESETS_AT_S });
  state.now = 58_900;
  expect((await limiter.hit('user:1', 2)).refused?.retryAfterS).toBe(2);
  expect(asked).toHaveLength(2);
  state.now = 59_000;
  windows.clear();
  expect(await limiter.hit('user:1', 2)).toMatchObject({ remaining: 1, refused: undefined });
});

it('a failure of the database rejects all waiting requests, and the next one asks again', async () => {
  const { limiter, state, close } = rig();
  const open = close();
  state.fails = true;
  const hits = Array.from({ length: 3 }, () => limiter.hit('user:1', 3));
  open();
  for (const { status } of await Promise.allSettled(hits)) expect(status).toBe('rejected');
  state.fails = false;
  expect((await limiter.hit('user:1', 3)).remaining).toBe(2);
});
