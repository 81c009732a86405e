import { expect, test } from 'vitest';
import { momentText, numberText } from './numbers.ts';

test.each([
  [0, '0'],
  [1_234_567, '1,234,567'],
  [0.25, '0.3'],
  [12.04, '12'],
])('%d is shown as %s', (value, shown) => {
  expect(numberText(value)).toBe(shown);
});

test.each([
  ['2026-11-21T09:07:59.999Z', '21 Nov 2026, 09:07 UTC'],
  ['2027-01-01T00:00:00Z', '1 Jan 2027, 00:00 UTC'],
])('%s is shown as %s', (at, shown) => {
  expect(momentText(new Date(at))).toBe(shown);
});
