import { readCronSchedule } from '@innkeeper/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonSchedules, scheduleWords } from './schedule-words.ts';

test.each([
  ['*/5 * * * *', 'Every 5 minutes'],
  ['0 3 * * *', 'At 03:00'],
  ['30 17 * * 1-5', 'At 17:30, Monday through Friday'],
  ['0 0 1 * 1', 'At 00:00, on day 1 of the month, and on Monday'],
  ['0 0 */2 * 1', 'At 00:00, every 2 days in a month, only on Monday'],
  ['@hourly', 'Every hour'],
])('%s is described as %s', (schedule, words) => {
  expect(scheduleWords(schedule, 'en')).toBe(words);
});

test('a schedule is described in German', () => {
  expect(scheduleWords('30 17 * * 1-5', 'de')).toBe('Um 17:30, Montag bis Freitag');
});

test('every offered schedule is valid and in its stored form', () => {
  for (const [schedule] of commonSchedules) expect(readCronSchedule(schedule)).toBe(schedule);
});

test('every valid schedule has a description without an error of the library', () => {
  const value = (min: number, max: number) =>
    fc.oneof(
      fc.constantFrom('*', '*/2', '*/7'),
      fc.integer({ min, max }).map(String),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    );
  const schedules = fc
    .tuple(value(0, 59), value(0, 23), value(1, 31), value(1, 12), value(0, 7))
    .map((fields) => readCronSchedule(fields.join(' ')) ?? '');
  fc.assert(
    fc.property(schedules, (schedule) => {
      expect(scheduleWords(schedule, 'en')).toMatch(/^[A-Z][ -~]+$/);
      for (const language of ['en', 'de'] as const)
        expect(scheduleWords(schedule, language)).not.toMatch(/undefined|null|NaN|error/i);
    }),
  );
});
