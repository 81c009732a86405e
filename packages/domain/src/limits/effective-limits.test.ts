import { expect, test } from 'vitest';
import { limitsInPackage, limitsOfItsOwn } from './effective-limits.ts';

const small = {
  disk_limit_mb: 1000,
  bandwidth_limit_mb: 5000,
  cpu_limit_percent: 100,
  ram_limit_mb: 512,
  io_read_mbps: 20,
  io_write_mbps: 10,
  iops: null,
  max_processes: 40,
  max_domains: 3,
  max_databases: 2,
  max_apps: 1,
  max_cron_jobs: 4,
};

test('with a package, given limits replace the package’s; null counts as omitted', () => {
  expect(limitsInPackage(small, {})).toEqual(small);
  expect(
    limitsInPackage(small, {
      disk_limit_mb: 200,
      io_read_mbps: null,
      iops: 500,
      max_databases: 0,
      max_apps: undefined,
    }),
  ).toEqual({ ...small, disk_limit_mb: 200, iops: 500, max_databases: 0 });
});

test('without a package, omitted IO, IOPS and process limits are unlimited, and cron jobs follow the package', () => {
  const own = {
    disk_limit_mb: 300,
    bandwidth_limit_mb: 400,
    cpu_limit_percent: 50,
    ram_limit_mb: 128,
    max_domains: 1,
    max_databases: 0,
    max_apps: 0,
  };
  expect(limitsOfItsOwn(small, { ...own, io_write_mbps: 5 })).toEqual({
    ...own,
    io_read_mbps: null,
    io_write_mbps: 5,
    iops: null,
    max_processes: null,
    max_cron_jobs: 4,
  });
});
