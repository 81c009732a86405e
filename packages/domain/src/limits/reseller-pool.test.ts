import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResourceLimits } from './limits.ts';
import { type PoolAllocation, poolRefusals, type ResellerPool } from './reseller-pool.ts';

const nothing: PoolAllocation = {
  disk_mb: 0,
  bandwidth_mb: 0,
  cpu_percent: 0,
  ram_mb: 0,
  io_read_mbps: 0,
  io_write_mbps: 0,
  iops: 0,
  max_processes: 0,
  unlimited_io_read: 0,
  unlimited_io_write: 0,
  unlimited_iops: 0,
  unlimited_processes: 0,
};
const open: ResellerPool = {
  overselling: false,
  disk_mb: null,
  bandwidth_mb: null,
  cpu_percent: null,
  ram_mb: null,
  io_read_mbps: null,
  io_write_mbps: null,
  iops: null,
  max_processes: null,
};
const limits: ResourceLimits = {
  disk_limit_mb: 100,
  bandwidth_limit_mb: 100,
  cpu_limit_percent: 100,
  ram_limit_mb: 128,
  io_read_mbps: null,
  io_write_mbps: 10,
  iops: 100,
  max_processes: 20,
};

test('without a pool everything is allowed, also unlimited', () => {
  expect(poolRefusals(open, nothing, limits)).toEqual({});
});

test('the last unit of a pool can be taken, one more cannot', () => {
  const pool = { ...open, disk_mb: 300, iops: 300 };
  const allocated = { ...nothing, disk_mb: 200, iops: 200 };
  expect(poolRefusals(pool, allocated, limits)).toEqual({});
  expect(poolRefusals(pool, allocated, { ...limits, disk_limit_mb: 101, iops: 101 })).toEqual({
    disk_limit_mb: ['The disk limit mb field exceeds what is left of the reseller pool (100).'],
    iops: ['The iops field exceeds what is left of the reseller pool (100).'],
  });
});

test('overselling applies to disk, bandwidth, CPU and RAM only', () => {
  const tiny = {
    disk_mb: 1,
    bandwidth_mb: 1,
    cpu_percent: 1,
    ram_mb: 1,
    io_read_mbps: 1,
    io_write_mbps: 1,
    iops: 1,
    max_processes: 1,
  };
  const wanted = { ...limits, io_read_mbps: 10 };
  expect(Object.keys(poolRefusals({ overselling: true, ...tiny }, nothing, wanted))).toEqual([
    'io_read_mbps',
    'io_write_mbps',
    'iops',
    'max_processes',
  ]);
  expect(Object.keys(poolRefusals({ overselling: false, ...tiny }, nothing, wanted))).toHaveLength(8);
});

test('an unlimited value cannot be taken from a set pool', () => {
  expect(poolRefusals({ ...open, io_read_mbps: 1000 }, nothing, limits)).toEqual({
    io_read_mbps: ['The io read mbps field cannot be unlimited: the reseller pool holds 1000.'],
  });
});

test('a pool has nothing left while another account is unlimited', () => {
  const pool = { ...open, io_write_mbps: 1000 };
  expect(poolRefusals(pool, { ...nothing, unlimited_io_write: 1 }, limits)).toEqual({
    io_write_mbps: [
      'The io write mbps field cannot be taken from the reseller pool while another account is unlimited.',
    ],
  });
});

test('an account may keep or lower its share of a pool that was made too small', () => {
  const pool = { ...open, disk_mb: 50, io_read_mbps: 5, iops: 10 };
  const allocated = { ...nothing, disk_mb: 100, iops: 100, unlimited_io_read: 1 };
  expect(poolRefusals(pool, allocated, limits, limits)).toEqual({});
  expect(
    poolRefusals(pool, allocated, { ...limits, disk_limit_mb: 99, io_read_mbps: 900, iops: 99 }, limits),
  ).toEqual({});
  expect(Object.keys(poolRefusals(pool, allocated, { ...limits, disk_limit_mb: 101 }, limits))).toEqual([
    'disk_limit_mb',
  ]);
});

test('a sequence of accepted accounts and changes never exceeds the pool', () => {
  const amount = fc.integer({ min: 5, max: 60 });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 200 }),
      fc.array(fc.tuple(fc.nat(5), amount), { maxLength: 30 }),
      (size, steps) => {
        const pool = { ...open, io_write_mbps: size };
        const accounts = new Map<number, number>();
        for (const [id, wants] of steps) {
          const held = [...accounts.values()].reduce((sum, share) => sum + share, 0);
          const has = accounts.get(id);
          const refused = poolRefusals(
            pool,
            { ...nothing, io_write_mbps: held },
            { ...limits, io_write_mbps: wants },
            has === undefined ? undefined : { ...limits, io_write_mbps: has },
          );
          if (Object.keys(refused).length === 0) accounts.set(id, wants);
        }
        expect([...accounts.values()].reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(size);
      },
    ),
  );
});
