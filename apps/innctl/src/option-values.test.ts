import { afterEach, expect, test, vi } from 'vitest';
import { pointInTime } from './option-values.ts';

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T12:30', '2026-11-21T12:30:00.000Z'],
  ['2026-11-21T12:30:05.250Z', '2026-11-21T12:30:05.250Z'],
  ['2026-11-21T12:30:05+02:00', '2026-11-21T10:30:05.000Z'],
])('the time %s is %s', (text, expected) => {
  expect(pointInTime(text).toISOString()).toBe(expected);
});

test.each([
  ['90m', 90 * 60_000],
  ['12h', 12 * 3_600_000],
  ['400d', 400 * 86_400_000],
])('the age %s counts back from now', (text, ms) => {
  vi.useFakeTimers();
  expect(Date.now() - pointInTime(text).getTime()).toBe(ms);
});

test.each(['', 'yesterday', '7', '7w', '-1d', '2026-13-01', '2026-11-21 12:30', '1e9d'])(
  'the text %j is refused',
  (text) => {
    expect(() => pointInTime(text)).toThrow(/must be a date/);
  },
);
