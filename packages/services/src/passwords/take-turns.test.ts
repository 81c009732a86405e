import { expect, test } from 'vitest';
import { takeTurns } from './take-turns.ts';

test('tasks start in order, and at most the allowed number runs concurrently', async () => {
  const inTurn = takeTurns(2);
  let running = 0;
  let most = 0;
  const started: number[] = [];
  const results = await Promise.all(
    Array.from({ length: 9 }, (_, index) =>
      inTurn(async () => {
        started.push(index);
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
        return index;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(results).toEqual(started);
});

test('a task that fails makes room for the next one', async () => {
  const inTurn = takeTurns(1);
  await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await inTurn(async () => 'next')).toBe('next');
});

test('a task is refused when the queue is full, and the others run', async () => {
  const turn = takeTurns(1, { maxWaiting: 2, refuse: () => new Error('full') });
  const { promise, resolve } = Promise.withResolvers<void>();
  const served = Array.from({ length: 4 }, (_, index) => turn(() => promise.then(() => index)));
  await expect(served[3]).rejects.toThrow('full');
  resolve();
  expect(await Promise.all(served.slice(0, 3))).toEqual([0, 1, 2]);
  expect(await turn(async () => 'later')).toBe('later');
});
