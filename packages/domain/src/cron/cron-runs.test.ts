import { expect, test } from 'vitest';
import { isTimeZone, nextCronRuns } from './cron-runs.ts';

const runs = (schedule: string, timeZone = 'UTC', after = '2026-11-21T20:00:00Z') =>
  nextCronRuns(schedule, { after: new Date(after), count: 3, timeZone }).map((run) => run.toISOString());

test('the next runs are after the given time', () => {
  expect(runs('*/30 * * * *')).toEqual([
    '2026-11-21T20:30:00.000Z',
    '2026-11-21T21:00:00.000Z',
    '2026-11-21T21:30:00.000Z',
  ]);
  expect(runs('@weekly')).toEqual([
    '2026-11-22T00:00:00.000Z',
    '2026-11-29T00:00:00.000Z',
    '2026-12-06T00:00:00.000Z',
  ]);
  expect(runs('0 0 * * sat-7').slice(0, 2)).toEqual(['2026-11-22T00:00:00.000Z', '2026-11-28T00:00:00.000Z']);
});

test('the time zone is the server’s', () => {
  expect(runs('0 3 * * *', 'Europe/Berlin')[0]).toBe('2026-11-22T02:00:00.000Z');
  expect(runs('0 3 * * *', 'America/New_York')[0]).toBe('2026-11-22T08:00:00.000Z');
  expect(runs('0 3 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z')[0]).toBe('2027-03-28T01:00:00.000Z');
});

test('a day of the month or a weekday is enough; both are needed if one begins with *', () => {
  expect(runs('0 0 1 * 1')).toEqual([
    '2026-11-23T00:00:00.000Z',
    '2026-11-30T00:00:00.000Z',
    '2026-12-01T00:00:00.000Z',
  ]);
  expect(runs('0 0 */2 * 1')).toEqual([
    '2026-11-23T00:00:00.000Z',
    '2026-12-07T00:00:00.000Z',
    '2026-12-21T00:00:00.000Z',
  ]);
});

test('a date that no year has gives no run', () => {
  expect(runs('0 0 31 2 *')).toEqual([]);
});

test('a time zone is recognised by its name', () => {
  expect(['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia'].filter(isTimeZone)).toHaveLength(3);
  expect(['', 'Etc/Unknown', 'Europe/Atlantis', '../etc/passwd'].filter(isTimeZone)).toEqual([]);
});
