import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCronSchedule } from './cron-schedule.ts';

test.each([
  ['* * * * *', '* * * * *'],
  ['  */5   0-23/2 1,15 JAN-MAR  MON-FRI ', '*/5 0-23/2 1,15 JAN-MAR MON-FRI'],
  ['00 03 31 2 7', '00 03 31 2 7'],
  ['0 0 * * sat-sun', '0 0 * * sat-7'],
  ['0 0 * * sun', '0 0 * * sun'],
  ['0 0 * * Sun-Tue,Fri-Sun', '0 0 * * Sun-Tue,Fri-7'],
  ['0-59/60 * * * *', '0-59/60 * * * *'],
  ['@hourly', '@hourly'],
  [' @Daily', '@daily'],
  ['@annually', '@annually'],
])('%j is stored as %j', (text, stored) => {
  expect(readCronSchedule(text)).toBe(stored);
});

test.each([
  '',
  '*',
  '* * * *',
  '* * * * * *',
  '@reboot',
  '@every_minute',
  '@',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * 32 * *',
  '* * * 13 *',
  '* * * * 8',
  '-1 * * * *',
  '5-1 * * * *',
  '*/0 * * * *',
  '5/15 * * * *',
  '1,,2 * * * *',
  '1-2-3 * * * *',
  '*\t* * * *',
  '*\n* * * *',
  '* * * * * root',
  '* * L * *',
  '* * 15W * *',
  '* * * * 5#2',
  '* * * * 5L',
  '? * * * *',
  '* * ? * *',
  '+* * * * *',
  'mon * * * *',
  '* * * mon *',
  '* * * * friday',
  '* * * * jan',
  '~ * * * *',
  'a b c d e',
  '１ * * * *',
])('%j is not a schedule', (text) => {
  expect(readCronSchedule(text)).toBeUndefined();
});

const item = (min: number, max: number) =>
  fc.oneof(
    fc.constantFrom('*', '*/2', '*/7'),
    fc.integer({ min, max }).map(String),
    fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.constantFrom('', '/3'))
      .map(([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}${step}`),
  );
const field = (min: number, max: number) =>
  fc.array(item(min, max), { minLength: 1, maxLength: 4 }).map((items) => items.join(','));

test('every schedule of numbers within their bounds is read as itself', () => {
  const fields = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7));
  fc.assert(fc.property(fields, (parts) => readCronSchedule(parts.join('  ')) === parts.join(' ')));
});

test('a stored schedule is valid for nodes, and reading it again changes nothing', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'0123456789*,/- @sunLW#?hourly\n'), maxLength: 30 });
  fc.assert(
    fc.property(
      fc.oneof(
        noise,
        fc.tuple(noise, noise).map(([a, b]) => `0 0 ${a} ${b}`),
      ),
      (text) => {
        const stored = readCronSchedule(text);
        if (stored === undefined) return;
        expect(stored).toMatch(/^(?:@[a-z]+|[0-9A-Za-z*,/-]+(?: [0-9A-Za-z*,/-]+){4})$/);
        expect(readCronSchedule(stored)).toBe(stored);
      },
    ),
    { numRuns: 2_000 },
  );
});
