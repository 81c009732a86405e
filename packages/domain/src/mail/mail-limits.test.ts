import { expect, test } from 'vitest';
import { mailWindows } from './mail-limits.ts';

test('windows are whole hours and days in UTC', () => {
  const { hour, day } = mailWindows(new Date('2026-11-25T23:59:59.999Z'));
  expect(new Date(hour * 3_600_000).toISOString()).toBe('2026-11-25T23:00:00.000Z');
  expect(new Date(day * 86_400_000).toISOString()).toBe('2026-11-25T00:00:00.000Z');
  expect(mailWindows(new Date('2026-11-26T00:00:00Z'))).toEqual({ hour: hour + 1, day: day + 1 });
});
