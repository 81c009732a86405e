import { waitUntil } from '@innkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig({ applyTimeoutMs: 1_500 });
/** The username of the newest account. */
let username: string;

const create = (token = rig.adminToken) => {
  const body = rig.accountFields();
  username = body.username;
  return rig.ask('createAccount', { body, token });
};
const synced = (id: number) =>
  waitUntil(`account ${id}`, async () => (await rig.ask('getAccount', { id })).body.data.synced);

describe('a slow node', () => {
  it('the API answers with the committed state, and the node applies it later', async () => {
    rig.node.behaviour.delayMs = () => 2_500;
    const { status, body } = await create();
    expect([status, body.data.status, body.data.synced]).toEqual([201, 'active', false]);
    await synced(body.data.id);
  });
});

describe('a node that refuses a change', () => {
  it('the API undoes the create: an admin gets 500 with the reason, and nothing is left', async () => {
    rig.node.behaviour.fail = (spec) => (spec.desired_state === 'active' ? 'permanently' : undefined);
    const { status, body } = await create();
    expect([status, body.message]).toEqual([500, 'The simulated node fails permanently.']);
    await waitUntil(
      'the undoing',
      async () => (await rig.ask('checkUsername', { query: `username=${username}` })).body.data.available,
    );
    expect((await rig.ask('listAccounts', { query: `username=${username}` })).body.total).toBe(0);
  });

  it('a reseller gets no details of the node', async () => {
    rig.node.behaviour.fail = (spec) => (spec.desired_state === 'active' ? 'permanently' : undefined);
    const { status, body } = await create(rig.resellerToken);
    expect([status, body.message]).toEqual([
      500,
      'The hosting server could not create the account. Nothing of it is kept.',
    ]);
  });

  it('a change stays committed, and is not synced', async () => {
    const { id } = (await create()).body.data;
    rig.node.behaviour.fail = () => 'permanently';
    const { status, body } = await rig.ask('suspendAccount', { id });
    expect([status, body.data.status, body.data.synced]).toEqual([200, 'suspended', false]);
    expect(JSON.stringify(body)).not.toContain('simulated');
  });
});

describe('a node that retries', () => {
  it('the API waits for its next attempt', async () => {
    let attempts = 0;
    rig.node.behaviour.fail = () => {
      attempts += 1;
      return attempts === 1 ? 'retryably' : undefined;
    };
    const creating = create();
    await waitUntil('the second attempt', async () => {
      await rig.node.sync();
      return attempts > 1;
    });
    const { status, body } = await creating;
    expect([status, body.data.synced]).toEqual([201, true]);
  });
});

describe('without NATS', () => {
  it('a create succeeds: the node polls, and the API finds the report in the database', async () => {
    await rig.nats.stop();
    await waitUntil('the loss of NATS', async () => (await rig.ask('ready')).status === 503);
    expect((await rig.ask('ready')).body).toMatchObject({
      status: 'unavailable',
      checks: { database: 'ok', queue: 'failed', nodes: { total: 1, online: 1 } },
    });
    const creating = create();
    await waitUntil('the account on the node', async () => {
      await rig.node.sync();
      return [...rig.node.accounts.values()].some(({ linux_user }) => linux_user === username);
    });
    const { status, body } = await creating;
    expect([status, body.data.synced]).toEqual([201, true]);
    await rig.nats.start();
    await waitUntil('NATS again', async () => (await rig.ask('ready')).status === 200);
    expect((await rig.ask('ready')).body.checks.queue).toBe('ok');
  });
});

describe('without a reachable node', () => {
  it('the API answers 503 and writes nothing', async () => {
    const silent = { last_seen_at: new Date(Date.now() - 3_600_000) };
    await rig.node.vanish();
    await rig.db.updateTable('nodes').set(silent).execute();
    const { status, body } = await create();
    expect([status, Object.keys(body)]).toEqual([503, ['message']]);
    expect((await rig.ask('checkUsername', { query: `username=${username}` })).body.data.available).toBe(
      true,
    );
    expect((await rig.ask('ready')).body.checks.nodes).toEqual({ total: 1, online: 0 });
    await rig.node.comeBack();
    expect((await create()).status).toBe(201);
  });
});
