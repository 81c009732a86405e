import { describe, expect, it } from 'vitest';
import { ask } from '../../test/ask.ts';
import { accountView, type FakeOptions, fakeDeps } from '../../test/fake-deps.ts';
import { createApp } from '../app.ts';

const body = {
  username: 'bob',
  name: 'Bob',
  email: 'bob@example.com',
  password: 'correct horse',
  package_id: 1,
};
const create = (options: FakeOptions, token = 'admin') =>
  ask(createApp(fakeDeps(options)), { method: 'POST', path: '/accounts', body, token });

describe('creating an account', () => {
  it('the API answers after the node has applied the account', async () => {
    let synced = false;
    const reply = await create({
      services: { getAccount: async () => ({ ...accountView, synced }) },
      waitForObserved: async (awaited) => {
        expect(awaited).toEqual({ accountId: 1, generation: 2, timeoutMs: 1_000 });
        synced = true;
        return { outcome: 'applied' };
      },
    });
    expect([reply.status, reply.body.data.synced]).toEqual([201, true]);
  });

  it('the API answers the committed state when the node is late', async () => {
    const reply = await create({
      services: { getAccount: async () => ({ ...accountView, synced: false }) },
      waitForObserved: async () => ({ outcome: 'timeout' }),
    });
    expect([reply.status, reply.body.data.synced]).toEqual([201, false]);
  });

  it.each([
    ['admin', 'A foreign user bob is in the way.'],
    ['reseller', 'The hosting server could not create the account. Nothing of it is kept.'],
  ])('a create that the node refuses is rolled back, and an %s reads: %s', async (token, message) => {
    for (const observed of [{ outcome: 'failed' }, { outcome: 'absent' }] as const) {
      const reply = await create({ waitForObserved: async () => observed }, token);
      const request_id = reply.headers.get('X-Request-Id');
      expect([reply.status, reply.body]).toEqual([500, { message, request_id }]);
    }
  });
});

describe('changing an account', () => {
  const suspend = (options: FakeOptions) =>
    ask(createApp(fakeDeps(options)), { method: 'PATCH', path: '/accounts/1/suspend', token: 'reseller' });

  it('an unchanged account needs no wait', async () => {
    const waitForObserved = () => Promise.reject(new Error('waited'));
    const suspendAccount = async () => ({ view: accountView, nodeId: 1, accountId: 1, generation: 1 });
    expect((await suspend({ services: { suspendAccount }, waitForObserved })).status).toBe(200);
  });

  it('the API answers the committed state when the node fails, without the node’s reason', async () => {
    const reply = await suspend({
      services: {
        getAccount: async () => ({ ...accountView, status: 'suspended', synced: false }),
        findCreateFailure: async () => ({ reason: 'nginx is broken', field: null }),
      },
      waitForObserved: async () => ({ outcome: 'failed' }),
    });
    expect([reply.status, reply.body.data.synced]).toEqual([200, false]);
    expect(JSON.stringify(reply.body)).not.toContain('nginx');
  });
});
