import { expect, test } from 'vitest';
import { excessOver, limitsBelowUsage } from './account-usage.ts';

const usage = { domains: 4, databases: 1, apps: 0, disk_used_mb: 900 };

test('the sentence names what exceeds a package, with both numbers', () => {
  const target = { max_domains: 3, max_databases: 0, max_apps: 0, disk_limit_mb: 899 };
  expect(excessOver(target, usage)).toEqual([
    '4 domains (at most 3)',
    '1 databases (at most 0)',
    '900 MiB of disk (at most 899)',
  ]);
});

test('an account that fills a package exactly fits', () => {
  expect(excessOver({ max_domains: 4, max_databases: 1, max_apps: 0, disk_limit_mb: 900 }, usage)).toEqual(
    [],
  );
});

test('a count limit may be lowered to the current count, not below', () => {
  expect(limitsBelowUsage({ max_domains: 4, max_databases: 1, max_apps: 0 }, usage)).toEqual({});
  expect(limitsBelowUsage({ max_domains: 3, max_databases: 0, max_apps: 0 }, usage)).toEqual({
    max_domains: ['The max domains field must be at least 4.'],
    max_databases: ['The max databases field must be at least 1.'],
  });
});
