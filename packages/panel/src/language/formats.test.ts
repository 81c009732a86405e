import { expect, test } from 'vitest';
import { formats } from './formats.ts';

test.each([
  [0, '0', '0'],
  [1_234_567, '1,234,567', '1.234.567'],
  [0.25, '0.3', '0,3'],
  [12.04, '12', '12'],
])('the number %d is shown as %s and %s', (value, english, german) => {
  expect([formats.en.number(value), formats.de.number(value)]).toEqual([english, german]);
});

test.each([
  [0, '0 MB', '0 MB'],
  [500, '500 MB', '500 MB'],
  [1_023, '1,023 MB', '1.023 MB'],
  [1_024, '1 GB', '1 GB'],
  [20_000, '19.5 GB', '19,5 GB'],
])('%d MiB are shown as %s and %s', (mib, english, german) => {
  expect([formats.en.size(mib), formats.de.size(mib)]).toEqual([english, german]);
});

test.each([
  ['2026-11-21T09:07:59.999Z', '21 Nov 2026, 09:07 UTC', '21.11.2026, 09:07 UTC'],
  ['2027-01-01T00:00:00Z', '1 Jan 2027, 00:00 UTC', '01.01.2027, 00:00 UTC'],
])('the moment %s is shown as %s and %s', (at, english, german) => {
  expect([formats.en.moment(new Date(at)), formats.de.moment(new Date(at))]).toEqual([english, german]);
});

const now = new Date('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T11:59:01Z', 'just now', 'gerade eben'],
  ['2026-11-21T11:54:00Z', '6 min ago', 'vor 6 Min.'],
  ['2026-11-21T10:01:00Z', '1 hr ago', 'vor 1 Std.'],
  ['2026-11-20T11:00:00Z', 'yesterday', 'gestern'],
  ['2026-11-24T13:00:00Z', 'in 3 days', 'in 3 Tagen'],
  ['2026-02-14T12:00:00Z', '14 Feb', '14. Feb.'],
  ['2027-02-14T12:00:00Z', '14 Feb 2027', '14. Feb. 2027'],
])('at noon of 21 November, %s is shown as %s and %s', (at, english, german) => {
  const shown = [formats.en, formats.de].map((format) => format.relative(new Date(at), now));
  expect(shown).toEqual([english, german]);
});
