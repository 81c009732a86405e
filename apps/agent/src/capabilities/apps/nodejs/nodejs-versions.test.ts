import { expect, test } from 'vitest';
import { HostError } from '../../../node/host-error.ts';
import { NodejsVersionsOnDemand } from './nodejs-versions.ts';

function versions(place: (major: string) => Promise<void>) {
  const placed = new Set<string>();
  const clock = { now: 0 };
  const tried: string[] = [];
  const all = new NodejsVersionsOnDemand({
    offered: ['20', '22'],
    findPlaced: async (major) => (placed.has(major) ? `${major}.1.0` : undefined),
    place: async (major) => {
      tried.push(major);
      await place(major);
      placed.add(major);
    },
    now: () => clock.now,
  });
  return { all, clock, tried };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('fetches a version once for all accounts that wait for it', async () => {
  let finish = () => {};
  const { all, tried } = versions(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  expect(await all.state('20')).toEqual({ kind: 'missing' });
  all.install('20');
  all.install('20');
  expect(await all.state('20')).toEqual({ kind: 'installing' });
  finish();
  await settled();
  expect(await all.state('20')).toEqual({ kind: 'ready' });
  expect(tried).toEqual(['20']);
});

test('reports a failure and retries with growing delays', async () => {
  const { all, clock, tried } = versions(async () => {
    throw new HostError('Failed', 'The registry is away.');
  });
  const waits: (number | undefined)[] = [];
  for (let attempt = 0; attempt < 9; attempt += 1) {
    all.install('22');
    await settled();
    const state = await all.state('22');
    expect(state).toMatchObject({
      kind: 'failed',
      reason: 'Node.js 22 could not be installed: The registry is away.',
    });
    const wait = state.kind === 'failed' ? state.retryInMs! : 0;
    waits.push(wait);
    clock.now += wait;
    expect(await all.state('22')).toEqual({ kind: 'missing' });
  }
  expect(waits).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600].map((seconds) => seconds * 1_000));
  expect(tried).toHaveLength(9);
});

test('never fetches a version that is not offered', async () => {
  const { all, tried } = versions(async () => {});
  all.install('16');
  expect(await all.state('16')).toEqual({
    kind: 'failed',
    reason: 'Node.js 16 is not available on this server. Available versions: 20, 22.',
    retryInMs: undefined,
  });
  expect(tried).toEqual([]);
});
