import { expect, test } from 'vitest';
import { waitOf } from './acme-transport.ts';

const now = Date.parse('2026-06-01T12:00:00Z');

test.each([
  ['120', 120_000],
  ['Mon, 01 Jun 2026 13:00:00 GMT', 3_600_000],
  ['Mon, 01 Jun 2026 11:00:00 GMT', undefined],
  ['0', undefined],
  ['soon', undefined],
  [undefined, undefined],
  ['999999999', 7 * 24 * 3_600_000],
])('reads the header Retry-After: %s', (header, expected) => {
  expect(waitOf(header, now)).toBe(expected);
});
