import { expect, it } from 'vitest';
import { ask } from '../../test/ask.ts';
import { fakeDeps } from '../../test/fake-deps.ts';
import { createApp } from '../app.ts';

it('answers 503 for a request that would never end', async () => {
  const listPackages = () => new Promise<never>(() => {});
  const app = createApp(fakeDeps({ services: { listPackages }, requestTimeoutMs: 1 }));
  const reply = await ask(app, { path: '/packages', token: 'admin' });
  expect([reply.status, reply.body]).toEqual([503, { message: 'The request took too long.' }]);
});
