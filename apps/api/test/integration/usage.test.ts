import { waitUntil } from '@innkeeper/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();
let accountId: number;
const figures = { disk_used_mb: 120, bandwidth_used_mb: 340, cpu_used_percent: 12, ram_used_mb: 64 };
const shownLimits = {
  disk_limit_mb: 1_000,
  bandwidth_limit_mb: 10_000,
  cpu_limit_percent: 100,
  ram_limit_mb: 512,
};
const unused = {
  disk_used_mb: 0,
  bandwidth_used_mb: 0,
  cpu_used_percent: 0,
  ram_used_mb: 0,
  measured_at: null,
};

beforeEach(async () => {
  rig.node.behaviour.measure = () => figures;
  accountId = await createAccount();
});

const createAccount = async (token = rig.adminToken) =>
  (await rig.createAccount({ package_id: rig.packages.small }, token)).id;
const usageOf = async (id = accountId) => (await rig.ask('getUsage', { id })).body.data;
const bulk = (query: string, token = rig.adminToken) => rig.ask('getBulkUsage', { query, token });
const makeStale = () =>
  rig.db
    .updateTable('usage_snapshots')
    .set({ taken_at: new Date(Date.now() - 61_000) })
    .execute();

it('usage comes from the node over NATS, and stays the same for a minute', async () => {
  const usage = await usageOf();
  expect(usage).toEqual({ ...figures, ...shownLimits, measured_at: expect.stringMatching(/Z$/) });
  rig.node.behaviour.measure = () => ({ ...figures, disk_used_mb: 121 });
  expect(await usageOf()).toEqual(usage);
  const { body } = await rig.ask('getAccount', { id: accountId, query: 'include=usage' });
  expect(body.data.usage).toEqual(usage);
  await makeStale();
  expect((await usageOf()).disk_used_mb).toBe(121);
});

it('usage of another reseller’s account and of a missing one is 404', async () => {
  for (const [id, token] of [
    [accountId, rig.resellerToken],
    [4_242, rig.adminToken],
    ['bulk', rig.adminToken],
  ] as const)
    expect((await rig.ask('getUsage', { id, token })).status, String(id)).toBe(404);
});

describe('usage of a node that does not answer', () => {
  it('the API does not wait for an offline node: it shows the last known usage, or none', async () => {
    const seen = await usageOf();
    await rig.node.vanish();
    try {
      // NATS may need a moment to notice. Until then the API waits 2 s for an answer.
      const later = await waitUntil('an answer at once', async () => {
        await makeStale();
        const startedAt = performance.now();
        const usage = await usageOf();
        return performance.now() - startedAt < 1_500 && usage;
      });
      expect(later).toMatchObject(figures);
      expect(later.measured_at < seen.measured_at).toBe(true);
    } finally {
      await rig.node.comeBack();
    }
    await makeStale();
    expect((await usageOf()).measured_at >= seen.measured_at).toBe(true);
  });

  it('a node that does not answer delays the API only briefly', async () => {
    rig.node.behaviour.answer = () => undefined;
    const startedAt = performance.now();
    expect(await usageOf()).toEqual({ ...unused, ...shownLimits });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  const account = () => ({ account_id: accountId, ...figures });
  const month = new Date().toISOString().slice(0, 7);
  it.each<[what: string, answer: () => unknown]>([
    ['no JSON', () => '{'],
    ['null', () => 'null'],
    ['another shape', () => ({ month, accounts: { [accountId]: figures } })],
    ['negative figures', () => ({ month, accounts: [{ ...account(), disk_used_mb: -1 }] })],
    ['more than any disk holds', () => ({ month, accounts: [{ ...account(), disk_used_mb: 2 ** 52 }] })],
    ['fractions', () => ({ month, accounts: [{ ...account(), cpu_used_percent: 0.5 }] })],
    ['other accounts', () => ({ month, accounts: [{ ...account(), account_id: accountId + 1 }] })],
    ['nothing', () => ({ month, accounts: [] })],
  ])('the API ignores an answer with %s', async (_what, answer) => {
    rig.node.behaviour.answer = answer;
    expect(await usageOf()).toEqual({ ...unused, ...shownLimits });
  });
});

it('without NATS the API shows the last known usage at once', async () => {
  const seen = await usageOf();
  await makeStale();
  await rig.nats.stop();
  await waitUntil('the loss of NATS', async () => (await rig.ask('ready')).status === 503);
  const startedAt = performance.now();
  expect(await usageOf()).toMatchObject(figures);
  expect(performance.now() - startedAt).toBeLessThan(1_500);
  await rig.nats.start();
  await waitUntil('NATS again', async () => (await rig.ask('ready')).status === 200);
  await waitUntil('a measurement', async () => {
    await makeStale();
    return (await usageOf()).measured_at >= seen.measured_at;
  });
});

describe('in bulk', () => {
  it('usage in bulk covers all nodes, each id once, and lists missing ids', async () => {
    const web2 = await rig.addNode('bulk1');
    web2.behaviour.measure = () => ({ ...figures, disk_used_mb: 7 });
    const ids = [accountId];
    while (web2.accounts.size === 0 && ids.length < 20) ids.push(await createAccount());
    const [there] = web2.accounts.keys();
    const { status, body } = await bulk(
      [...ids, ...ids, 4_242].map((id) => `hosting_account_id[]=${id}`).join('&'),
    );
    expect([status, body.meta]).toEqual([
      200,
      { requested: ids.length + 1, returned: ids.length, missing_ids: [4_242] },
    ]);
    expect(body.data[accountId]).toMatchObject({ ...figures, ...shownLimits });
    expect(body.data[String(there)]).toMatchObject({ disk_used_mb: 7 });
    expect((await usageOf()).measured_at).toBe(body.data[accountId].measured_at);
  });

  it('accounts of another reseller are among the missing ids', async () => {
    const own = await createAccount(rig.resellerToken);
    const { body } = await bulk(
      `hosting_account_id[]=${own}&hosting_account_id[]=${accountId}`,
      rig.resellerToken,
    );
    expect(Object.keys(body.data)).toEqual([String(own)]);
    expect(body.meta).toEqual({ requested: 2, returned: 1, missing_ids: [accountId] });
  });

  it('the API refuses 101 ids', async () => {
    const ids = Array.from({ length: 101 }, (_, i) => `hosting_account_id[]=${i + 1}`);
    const { status, body } = await bulk(ids.join('&'));
    expect([status, body.errors]).toEqual([
      422,
      { hosting_account_id: ['The hosting account id field must not have more than 100 items.'] },
    ]);
  });

  it('the API takes 100 ids, however often each is sent', async () => {
    const ids = Array.from({ length: 300 }, (_, i) => `hosting_account_id[]=${(i % 100) + 1}`);
    const { status, body } = await bulk(ids.join('&'));
    expect([status, body.meta.requested]).toEqual([200, 100]);
  });
});
