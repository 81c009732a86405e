import { expect, test } from 'vitest';
import { specOf } from '../../../test/specs.ts';
import { ownerNamed } from '../../node/owner.ts';
import { DiskLimitWatch } from './disk-limit-watch.ts';

const MIB = 1_048_576;

function startRig() {
  const specs = [1, 2].map((id) =>
    specOf({ account_id: id, uid: 20_000 + id, linux_user: `user${id}`, databases: [] }),
  );
  const state = {
    now: 0,
    used: 1_000 * MIB,
    databases: new Map([
      [20_001, 10 * MIB],
      [20_002, 10 * MIB],
    ]),
    bytes: new Map<number, number>(),
    checked: [] as number[],
    refreshed: [] as number[][],
    measured: 0,
    full: new Set<number>(),
    gaveBack: [] as number[],
  };
  const watch = new DiskLimitWatch({
    host: {
      databases: {
        usedBytes: async () => state.used,
        giveBackRoom: async ({ uid }: { uid: number }) => void state.gaveBack.push(uid),
      } as never,
      disk: {
        measure: async () => new Map(),
        measureDatabases: async () => {
          state.measured += 1;
          state.now += 1_000;
          return new Map(state.databases);
        },
      },
      fullDisks: {
        isFull: ({ uid }) => state.full.has(uid),
        note: async ({ uid }, bytes, limitMb) => {
          const [was, is] = [state.full.has(uid), bytes > limitMb * MIB];
          if (is) state.full.add(uid);
          else state.full.delete(uid);
          return was !== is;
        },
        keep: async () => {},
      },
    },
    disk: {
      bytesOf: (uid) => state.bytes.get(uid),
      refresh: async (accounts, _waitMs, freshMs) => {
        expect(freshMs ?? 0).toBe(0);
        if (accounts.length > 0) state.refreshed.push(accounts.map(({ owner }) => owner.uid));
      },
    },
    specs: () => specs,
    storedThingsOf: ({ uid, linux_user }) => ({ owner: ownerNamed(linux_user, uid), databases: ['one'] }),
    check: (uid) => state.checked.push(uid),
    now: () => state.now,
  });
  return { state, watch };
}

test('checks an account at once when it becomes full or is no longer', async () => {
  const { state, watch } = startRig();
  state.bytes.set(20_001, 20_000 * MIB);
  for (const bytes of [20_000, 20_000, 1, 1]) {
    state.bytes.set(20_001, bytes * MIB);
    await watch.watch();
  }
  expect(state.checked).toEqual([20_001, 20_001]);
});

test('measures growing databases and their accounts between sweeps, in a fifth of the time', async () => {
  const { state, watch } = startRig();
  await watch.watch();
  expect(state.measured).toBe(1);
  state.now += 60_000;
  state.used += 63 * MIB;
  await watch.watch();
  expect(state.measured).toBe(1);
  state.used += MIB;
  state.databases.set(20_002, 74 * MIB);
  await watch.watch();
  expect(state.measured).toBe(2);
  expect(state.refreshed).toEqual([[20_002]]);
  state.used += 640 * MIB;
  state.now += 3_999;
  await watch.watch();
  expect(state.measured).toBe(2);
  state.now += 1;
  await watch.watch();
  expect(state.measured).toBe(3);
});

test('after a removal, growth counts from the smaller size', async () => {
  const { state, watch } = startRig();
  await watch.watch();
  state.now += 60_000;
  state.used -= 500 * MIB;
  await watch.watch();
  state.used += 64 * MIB;
  await watch.watch();
  expect(state.measured).toBe(2);
});

test('frees space only in databases of full accounts, and measures them again', async () => {
  const { state, watch } = startRig();
  state.full.add(20_002);
  await watch.giveBackRoom();
  expect(state.gaveBack).toEqual([20_002]);
  expect(state.refreshed).toEqual([[20_002]]);
});
