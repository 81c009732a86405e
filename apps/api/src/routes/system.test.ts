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

it('the API is ready with database and queue', async () => {
  expect(await readiness(true)).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', queue: 'ok', nodes } },
  ]);
});

it('the API is unavailable without the queue', async () => {
  expect(await readiness(false)).toEqual([
    503,
    { status: 'unavailable', checks: { database: 'ok', queue: 'failed', nodes } },
  ]);
});

it('the API is unavailable without the database, for a cached token', async () => {
  expect(await readiness(true, () => Promise.reject(new Error('gone')))).toEqual([
    503,
    { status: 'unavailable', checks: { database: 'failed', queue: 'ok', nodes: { total: 0, online: 0 } } },
  ]);
});
