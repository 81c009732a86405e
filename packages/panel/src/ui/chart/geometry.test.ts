import { expect, test } from 'vitest';
import { areaPath, bars, evenly, linePath, roundTop, runsOf } from './geometry.ts';

test.each([
  [0, 1],
  [-3, 1],
  [Number.NaN, 1],
  [0.3, 0.5],
  [1, 1],
  [21, 25],
  [100, 100],
  [101, 200],
  [5_001, 10_000],
])('a scale up to %d ends at %d', (highest, top) => {
  expect(roundTop(highest)).toBeCloseTo(top, 9);
});

test('a gap ends a run, also at the beginning and the end', () => {
  expect(runsOf([null, 1, 2, null, null, 3, null])).toEqual([
    [
      { at: 1, value: 1 },
      { at: 2, value: 2 },
    ],
    [{ at: 5, value: 3 }],
  ]);
  expect(runsOf([null, null])).toEqual([]);
});

test('a line reaches from edge to edge, has 0 at the bottom, and is broken by a gap', () => {
  expect(linePath([0, 10, 5], 10)).toBe('M0 100L150 0L300 50');
  expect(linePath([0, null, 5], 10)).toBe('M0 100L1 100M300 50L301 50');
  expect(linePath([null], 10)).toBe('');
});

test('a value above the top stays in the plot', () => {
  expect(linePath([20, 20], 10)).toBe('M0 0L300 0');
});

test('an area stands on the bottom, one for each run of two points or more', () => {
  expect(areaPath([10, 5, null, 3], 10)).toBe('M0 100L0 0L100 50L100 100z');
});

test('bars have equal widths; a gap has none, and a small value is visible', () => {
  const [first, gap, small, zero] = bars([10, null, 0.001, 0], 10);
  expect(first).toEqual({ x: 11.3, y: 0, width: 52.5, height: 100 });
  expect(gap).toBeUndefined();
  expect(small).toMatchObject({ y: 99, height: 1 });
  expect(zero).toMatchObject({ height: 0 });
});

test('labels are the first, the last and those between', () => {
  expect(evenly(9, 5)).toEqual([0, 2, 4, 6, 8]);
  expect(evenly(3, 5)).toEqual([0, 1, 2]);
  expect(evenly(0, 5)).toEqual([]);
});
