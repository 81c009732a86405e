import { describe, expect, it, test } from 'vitest';
import { type AccountLimits, limits, limitsOf, nodeLimitsOf, packageLimitsOf } from './limits.ts';

const row: AccountLimits = {
  disk_limit_mb: 100,
  bandwidth_limit_mb: 200,
  cpu_limit_percent: 50,
  ram_limit_mb: 128,
  io_read_mbps: null,
  io_write_mbps: 10,
  iops: null,
  max_processes: 20,
  max_domains: 1,
  max_databases: 0,
  max_apps: 2,
  max_cron_jobs: 3,
};

describe('the table of limits', () => {
  it.each(['name', 'packageField', 'poolField', 'unlimitedField'] as const)('has every %s once', (key) => {
    const names = limits.map((limit) => limit[key]).filter((name) => name !== null);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(limits)(
    '$name: a pool counts the accounts without it exactly where it can be unlimited',
    (limit) => {
      expect(limit.unlimitedField !== null).toBe(limit.unlimitable && limit.poolField !== null);
      expect(limit.min).toBeLessThan(limit.max);
    },
  );
});

test('limits are read from a row in the order of the table, and null stays null', () => {
  expect(JSON.stringify(limitsOf({ ...row, id: 1 } as AccountLimits))).toBe(JSON.stringify(row));
});

test('a package and a spec have the limits under their own names', () => {
  const { disk_limit_mb, bandwidth_limit_mb, cpu_limit_percent, ram_limit_mb, ...others } = row;
  const sizes = {
    disk_mb: disk_limit_mb,
    bandwidth_mb: bandwidth_limit_mb,
    cpu_percent: cpu_limit_percent,
    ram_mb: ram_limit_mb,
  };
  const { max_domains, max_databases, max_apps, max_cron_jobs, ...rates } = others;
  expect(packageLimitsOf(row)).toEqual({ ...sizes, ...others });
  expect(nodeLimitsOf(row)).toEqual({ ...sizes, ...rates });
});
