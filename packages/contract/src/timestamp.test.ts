import { expect, it } from 'vitest';
import { formatTimestamp, timestamp } from './timestamp.ts';

it('has microseconds and says UTC', () => {
  const written = formatTimestamp(new Date('2026-11-21T00:37:37Z'));
  expect(written).toBe('2026-11-21T00:37:37.000000Z');
  expect(timestamp.parse(written)).toBe(written);
  expect(formatTimestamp(new Date(1_795_221_457_123))).toMatch(/\.123000Z$/);
});
