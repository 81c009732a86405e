import { expect, test } from 'vitest';
import { PullLoop } from './pull-loop.ts';

/** A control plane whose accounts have the ids 1 to `count`. */
function rig(count: number) {
  const received: number[] = [];
  const asked: [after: number, limit: number][] = [];
  const failures: unknown[] = [];
  const state = { hold: Promise.resolve(), fail: false };
  const loop = new PullLoop({
    controlPlane: {
      pullAccounts: async (after, limit) => {
        asked.push([after, limit]);
        await state.hold;
        if (state.fail) throw new Error('away');
        const ids = Array.from({ length: count }, (_, index) => index + 1).filter((id) => id > after);
        return {
          accounts: ids.slice(0, limit).map((account_id) => ({ account_id })),
          has_more: ids.length > limit,
        };
      },
    },
    receive: async (account) => void received.push((account as { account_id: number }).account_id),
    settingsGeneration: () => 0,
    receiveSettings: async () => {},
    onPulled: () => {},
    onFailed: (error) => void failures.push(error),
  });
  return { loop, received, asked, failures, state };
}

test('pulls all pages of accounts in order', async () => {
  const { loop, received, asked } = rig(1_201);
  await loop.pull();
  expect(received).toEqual(Array.from({ length: 1_201 }, (_, index) => index + 1));
  expect(asked).toEqual([
    [0, 500],
    [500, 500],
    [1_000, 500],
  ]);
});

test('any number of requests during a pull cause one more pull', async () => {
  const { loop, asked, state } = rig(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.hold = promise;
  const pulls = [1, 2, 3, 4, 5].map(() => loop.pull());
  resolve();
  await Promise.all(pulls);
  expect(asked).toHaveLength(2);
});

test('stops pulling from a control plane that announces more and sends nothing', async () => {
  const asked: number[] = [];
  const loop = new PullLoop({
    controlPlane: {
      pullAccounts: async (after) => {
        asked.push(after);
        return { accounts: [{ account_id: 'not a number' }], has_more: true };
      },
    },
    receive: async () => {},
    settingsGeneration: () => 0,
    receiveSettings: async () => {},
    onPulled: () => {},
    onFailed: () => {},
  });
  await loop.pull();
  expect(asked).toEqual([0]);
});

test('reports a failed pull, and the next pull still runs', async () => {
  const { loop, failures, received, state } = rig(2);
  state.fail = true;
  await loop.pull();
  expect(failures).toHaveLength(1);
  state.fail = false;
  await loop.pull();
  expect(received).toEqual([1, 2]);
});

test('pulls and receives nothing after a stop', async () => {
  const { loop, received, asked, state } = rig(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.hold = promise;
  void loop.pull();
  const stopped = loop.stop();
  resolve();
  await stopped;
  await loop.pull();
  expect(asked).toHaveLength(1);
  expect(received).toEqual([]);
});
