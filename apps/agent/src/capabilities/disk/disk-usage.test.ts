import { expect, test } from 'vitest';
import { FakeClock } from '../../node/fake-clock.ts';
import { createLog } from '../../node/log.ts';
import { ownerNamed } from '../../node/owner.ts';
import { DiskUsage } from './disk-usage.ts';
import type { StoredThings } from './host.ts';

const account = (uid: number): StoredThings => ({ owner: ownerNamed(`u${uid}`, uid), databases: [] });
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** `takesMs`: duration of one batch by the clock, ms. */
function startDisk(count: number, takesMs = 1_000) {
  const clock = new FakeClock();
  const accounts = Array.from({ length: count }, (_, at) => account(20_001 + at));
  const batches: number[][] = [];
  const sizes = new Map<number, number>();
  let release = Promise.resolve();
  const swept: number[] = [];
  const state = {
    clock,
    accounts,
    batches,
    sizes,
    swept,
    failing: false,
    hold() {
      const held = Promise.withResolvers<void>();
      release = held.promise;
      return held.resolve;
    },
    disk: new DiskUsage({
      disk: {
        measure: async (batch) => {
          batches.push(batch.map(({ owner }) => owner.uid));
          await release;
          clock.advance(takesMs);
          if (state.failing) throw new Error('no disk');
          return new Map(batch.map(({ owner }) => [owner.uid, sizes.get(owner.uid) ?? 1]));
        },
        measureDatabases: async () => new Map(),
      },
      accounts: () => accounts,
      clock,
      log: createLog('fatal'),
      onSwept: (tookMs) => swept.push(tookMs),
    }),
  };
  return state;
}

test('measures every account after the start without pauses, then every ten minutes in a twentieth of the time', async () => {
  const rig = startDisk(514);
  rig.disk.start();
  await settled();
  expect(rig.batches.map(({ length }) => length)).toEqual([256, 256, 2]);
  expect(rig.swept).toEqual([3_000]);
  expect(rig.disk.bytesOf(20_514)).toBe(1);
  rig.clock.advance(600_000 - 3_000 - 1);
  await settled();
  expect(rig.batches).toHaveLength(3);
  rig.clock.advance(1);
  await settled();
  expect(rig.batches).toHaveLength(4);
  expect(rig.clock.waits).toEqual([19_000]);
  rig.clock.advance(19_000);
  await settled();
  expect(rig.batches).toHaveLength(5);
  await rig.disk.stop();
});

test('measures only requested accounts before the start', async () => {
  const rig = startDisk(3);
  await rig.disk.refresh([account(20_002)], 1_000);
  rig.clock.advance(3_600_000);
  await settled();
  expect(rig.batches).toEqual([[20_002]]);
  rig.disk.start();
  await settled();
  expect(rig.batches[1]).toEqual([20_001, 20_002, 20_003]);
  await rig.disk.stop();
});

test('answers with the known figure at once, and with a new one at the next request', async () => {
  const rig = startDisk(2);
  rig.disk.start();
  await settled();
  rig.sizes.set(20_001, 7);
  await rig.disk.refresh([account(20_001)], 1_000);
  await settled();
  expect(rig.batches).toHaveLength(1);
  rig.clock.advance(31_000);
  await rig.disk.refresh([account(20_001)], 1_000);
  expect(rig.disk.bytesOf(20_001)).toBe(1);
  await settled();
  expect(rig.batches.slice(1)).toEqual([[20_001]]);
  expect(rig.disk.bytesOf(20_001)).toBe(7);
  await rig.disk.stop();
});

test('requested measurements take at most a fifth of the time', async () => {
  const rig = startDisk(600);
  rig.disk.start();
  await settled();
  const before = rig.batches.length;
  rig.clock.advance(31_000);
  await rig.disk.refresh(rig.accounts, 1_000);
  await settled();
  expect(rig.batches.length).toBe(before + 1);
  expect(rig.clock.waits).toEqual([4_000]);
  rig.clock.advance(4_000);
  await settled();
  expect(rig.batches.length).toBe(before + 2);
  await rig.disk.stop();
});

test('waits for an account that was never measured, before all others, up to a timeout', async () => {
  const rig = startDisk(300);
  const release = rig.hold();
  rig.disk.start();
  const newcomer = account(29_999);
  let answered = false;
  const answer = rig.disk.refresh([newcomer], 1_000).then(() => {
    answered = true;
  });
  await settled();
  expect(answered).toBe(false);
  rig.clock.advance(1_000);
  await answer;
  expect(rig.disk.bytesOf(29_999)).toBeUndefined();
  release();
  await settled();
  expect(rig.batches[1]).toEqual([29_999]);
  expect(rig.disk.bytesOf(29_999)).toBe(1);
  await rig.disk.stop();
});

test('a failure keeps the last figure, and measuring continues', async () => {
  const rig = startDisk(1);
  rig.disk.start();
  await settled();
  rig.failing = true;
  rig.clock.advance(600_000);
  await settled();
  expect(rig.batches).toHaveLength(2);
  expect(rig.disk.bytesOf(20_001)).toBe(1);
  rig.failing = false;
  rig.sizes.set(20_001, 9);
  rig.clock.advance(600_000);
  await settled();
  expect(rig.disk.bytesOf(20_001)).toBe(9);
  await rig.disk.stop();
});

test('forgets a removed account in the next round', async () => {
  const rig = startDisk(2);
  rig.disk.start();
  await settled();
  rig.accounts.splice(0, 1);
  rig.clock.advance(600_000);
  await settled();
  expect(rig.disk.bytesOf(20_001)).toBeUndefined();
  expect(rig.disk.bytesOf(20_002)).toBe(1);
  await rig.disk.stop();
});
