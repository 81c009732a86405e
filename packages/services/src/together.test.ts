import { setImmediate as afterThisTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { together } from './together.ts';

test('items that arrive together are one call, and each gets its own result', async () => {
  const calls: number[][] = [];
  const double = together(async (items: readonly number[]) => {
    calls.push([...items]);
    return items.map((item) => item * 2);
  });
  expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6]);
  expect(calls).toEqual([[1, 2, 3]]);
});

test('an item that arrives while a call runs has the next call, which does not wait for it', async () => {
  const { promise: never } = Promise.withResolvers<readonly string[]>();
  const calls: string[][] = [];
  const ask = together((items: readonly string[]) => {
    calls.push([...items]);
    return items.includes('hangs') ? never : Promise.resolve(items);
  });
  void ask('hangs');
  await afterThisTurn();
  expect(await ask('later')).toBe('later');
  expect(calls).toEqual([['hangs'], ['later']]);
});

test('a result that rejects fails its own item, a call that throws fails all of its items', async () => {
  const ask = together((items: readonly string[]) => {
    if (items.includes('all')) throw new Error('none');
    return items.map(async (item) => {
      if (item === 'bad') throw new Error('bad');
      return item;
    });
  });
  expect(await Promise.allSettled([ask('good'), ask('bad')])).toMatchObject([
    { status: 'fulfilled', value: 'good' },
    { status: 'rejected', reason: { message: 'bad' } },
  ]);
  expect(await Promise.allSettled([ask('good'), ask('all')])).toMatchObject([
    { status: 'rejected', reason: { message: 'none' } },
    { status: 'rejected', reason: { message: 'none' } },
  ]);
  expect(await ask('good')).toBe('good');
});
