import { expect, it } from 'vitest';
import { ask } from '../../test/ask.ts';
import { fakeDeps } from '../../test/fake-deps.ts';
import { createApp } from '../app.ts';
import { createCheckReadiness } from '../nodes/check-readiness.ts';

const nodes = { total: 3, online: 2 };
const readiness = async (isConnected: boolean, countNodes = async () => nodes) => {
  const checkReadiness = createCheckReadiness({ isConnected: () => isConnected }, countNodes);
  const { status, body } = await ask(createApp(fakeDeps({ checkReadiness })), {
    path: '/ready',
    token: 'empty',
  });
  return [status, body];
};

it('is ok when database and queue are', async () => {
  expect(await readiness(true)).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', queue: 'ok', nodes } },
  ]);
});

it('is unavailable without the queue, and says so', async () => {
  expect(await readiness(false)).toEqual([
    503,
    { status: 'unavailable', checks: { database: 'ok', queue: 'failed', nodes } },
  ]);
});

it('is unavailable without the database, for a token that is still remembered', async () => {
  expect(await readiness(true, () => Promise.reject(new Error('gone')))).toEqual([
    503,
    { status: 'unavailable', checks: { database: 'failed', queue: 'ok', nodes: { total: 0, online: 0 } } },
  ]);
});
