import { expect, test } from 'vitest';
import { phpDefaults, phpTimeZones, TIME_ZONE_PATTERN } from './php-settings.ts';

test('every time zone that is offered is one that agents accept, under its current name', () => {
  expect(phpTimeZones.filter((zone) => !TIME_ZONE_PATTERN.test(zone))).toEqual([]);
  expect(phpTimeZones).toEqual(
    expect.arrayContaining(['UTC', 'Europe/Kyiv', 'Asia/Kolkata', 'America/Nuuk']),
  );
  expect(phpTimeZones).not.toContain('Asia/Calcutta');
});

test.each([
  '',
  '../etc/passwd',
  'Europe/Berlin\nextension=x',
  'a"b',
  '$HOME',
  '/UTC',
  'a//b',
  ' UTC',
  'UTC;',
])('the time zone %j is refused', (zone) => {
  expect(TIME_ZONE_PATTERN.test(zone)).toBe(false);
});

test('the default memory of a script is at most the account’s', () => {
  for (const ram of [16, 64, 256, 1_024, 64_000])
    expect(phpDefaults(ram).memory_limit_mb).toBeLessThanOrEqual(Math.min(ram, 512));
});
