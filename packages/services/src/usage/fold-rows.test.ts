import { expect, test } from 'vitest';
import { foldRows, highestOf, lastOf, sumOf } from './fold-rows.ts';

const scale = { points: [600, 1_200, 1_800], pointS: 600 };
const row = (slot: number, used: number | null) => ({ slot, used });

test('a point has the rows of its time in their order, and a point without rows is a gap', () => {
  const rows = [row(1_500, 4), row(900, 2), row(600, 1)];
  expect(foldRows(rows, scale, (group) => group.map(({ used }) => used))).toEqual([[1, 2], [4], null]);
});

test('rows outside the points are left out', () => {
  expect(foldRows([row(0, 1), row(2_400, 1)], scale, (group) => group.length)).toEqual([null, null, null]);
});

test('sums and peaks count an unknown value as 0, and the last value is the last known', () => {
  const rows = [row(600, 5), row(900, 3), row(1_200, null)];
  expect(sumOf(rows, ({ used }) => used)).toBe(8);
  expect(highestOf(rows, ({ used }) => used)).toBe(5);
  expect(lastOf(rows, ({ used }) => used)).toBe(3);
  expect(lastOf([row(600, null)], ({ used }) => used)).toBeNull();
});
