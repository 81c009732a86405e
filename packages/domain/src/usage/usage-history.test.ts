import { expect, test } from 'vitest';
import {
  isUsageIntervalNear,
  keptSiteDays,
  keptUsageSlots,
  oldestUsageSlot,
  slotsOfRange,
  USAGE_RANGES,
  type UsageRange,
  usageSlotOf,
} from './usage-history.ts';

const now = new Date('2026-11-24T10:17:30Z');
const at = (time: string) => Date.parse(time) / 1_000;

test('an interval belongs to the 5 minutes, the hour and the day in which it starts, in UTC', () => {
  const start = at('2026-11-30T23:55:00Z');
  expect(usageSlotOf('sample', start)).toBe(start);
  expect(usageSlotOf('hour', start)).toBe(at('2026-11-30T23:00:00Z'));
  expect(usageSlotOf('day', start)).toBe(at('2026-11-30T00:00:00Z'));
});

test.each([
  ['the newest', '2026-11-24T10:10:00Z', true],
  ['of a clock that is 5 min ahead', '2026-11-24T10:20:00Z', true],
  ['of a clock that is half an hour ahead', '2026-11-24T10:45:00Z', false],
  ['that was sent late', '2026-11-24T09:30:00Z', true],
  ['of a clock that is two hours behind', '2026-11-24T08:10:00Z', false],
  ['of 1970', '1970-01-01T00:00:00Z', false],
])('an interval %s is accepted or not', (_, start, isNear) => {
  expect(isUsageIntervalNear(at(start), now)).toBe(isNear);
});

test.each([
  ['24h', 96],
  ['7d', 168],
  ['30d', 180],
  ['2y', 104],
] as const)(
  'the range %s has %i points, ends with the current one, and reads only rows that are kept',
  (name, count) => {
    const { slots, points } = slotsOfRange(name, now);
    const { step, pointS, rangeS } = USAGE_RANGES[name];
    expect(points).toHaveLength(count);
    expect(count * pointS).toBe(rangeS);
    const last = points.at(-1) ?? 0;
    expect(last).toBeLessThanOrEqual(now.getTime() / 1_000);
    expect(last + pointS).toBeGreaterThan(now.getTime() / 1_000);
    expect(slots[0]).toBe(points[0]);
    expect(slots.every((slot) => slot % 300 === 0)).toBe(true);
    expect(Math.min(...slots)).toBeGreaterThanOrEqual(oldestUsageSlot(step, now));
    expect(slots.at(-1)).toBe(usageSlotOf(step, now.getTime() / 1_000 - 30));
  },
);

test('every slot that a range reads is one whose row is deleted with the account', () => {
  for (const range of ['24h', '7d', '30d', '2y'] satisfies UsageRange[]) {
    const { step } = USAGE_RANGES[range];
    const possible = new Set(keptUsageSlots(step, now));
    for (const slot of slotsOfRange(range, now).slots) expect(possible.has(slot)).toBe(true);
  }
});

test('an account has at most 1,781 rows: 303 samples, 745 hours and 733 days', () => {
  const counts = (['sample', 'hour', 'day'] as const).map((step) => keptUsageSlots(step, now).length);
  expect(counts).toEqual([303, 745, 733]);
});

test('a site has its last 31 days and today', () => {
  const days = keptSiteDays(now);
  expect(days).toHaveLength(32);
  expect(days.at(-1)).toBe(at('2026-11-24T00:00:00Z'));
});
