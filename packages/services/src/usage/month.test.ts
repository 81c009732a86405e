import { expect, test } from 'vitest';
import { isMonthNear, monthOf } from './month.ts';

test('a month begins and ends in UTC', () => {
  expect(monthOf(new Date('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
  expect(monthOf(new Date('2026-12-01T00:00:00+01:00'))).toBe('2026-11');
});

test('the clock of a node may differ by ten minutes at most', () => {
  expect(isMonthNear('2026-11', new Date('2026-11-15T00:00:00Z'))).toBe(true);
  expect(isMonthNear('2026-12', new Date('2026-11-30T23:55:00Z'))).toBe(true);
  expect(isMonthNear('2026-11', new Date('2026-12-01T00:05:00Z'))).toBe(true);
  expect(isMonthNear('2026-12', new Date('2026-11-30T23:45:00Z'))).toBe(false);
  expect(isMonthNear('2026-11', new Date('2026-12-01T00:15:00Z'))).toBe(false);
  expect(isMonthNear('2099-01', new Date('2026-12-01T00:00:00Z'))).toBe(false);
});
