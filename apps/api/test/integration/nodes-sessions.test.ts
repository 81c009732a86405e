import { status } from '@grpc/grpc-js';
import type { AccountReport, UsageReport } from '@innkeeper/protocol';
import { encodeAccountReport, encodeUsageReport, MAX_MESSAGE_BYTES } from '@innkeeper/protocol/wire';
import { type SimulatedNode, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertAccount } from '../account-records.ts';
import { type NodeServiceRig, startNodeServiceRig } from '../node-service-rig.ts';

let rig: NodeServiceRig;
let node: SimulatedNode;
let serial = 0;
beforeAll(async () => {
  rig = await startNodeServiceRig();
});
afterAll(() => rig.stop());
beforeEach(async () => {
  node = await rig.startNode();
  rig.observed.length = 0;
});

const addAccount = (on: SimulatedNode) =>
  insertAccount(rig.database.db, { username: `tenant${++serial}`, node_id: on.id });

async function accountRow(id: number) {
  return rig.database.db
    .selectFrom('accounts')
    .select(['generation', 'observed_generation', 'outcome', 'state'])
    .where('id', '=', id)
    .executeTakeFirst();
}

const reportOn = (account_id: number, changes: Partial<AccountReport> = {}): AccountReport => ({
  account_id,
  observed_generation: 1,
  outcome: 'applied',
  conditions: [],
  domains: [],
  databases: [],
  apps: [],
  driver_ms: {},
  ...changes,
});

describe('a node', () => {
  it('gets its accounts, and the control plane stores and publishes its reports', async () => {
    const { id, domainId } = await addAccount(node);
    await waitUntil('the account', () => node.accounts.has(id));
    await waitUntil('the report', () => rig.observed.length > 0);
    expect(node.accounts.get(id)).toMatchObject({
      account_id: id,
      generation: 1,
      desired_state: 'active',
      domains: [{ domain_id: domainId, name: `tenant${serial}.example.com` }],
    });
    expect(rig.observed).toEqual([{ account_id: id, observed_generation: 1, outcome: 'applied' }]);
    expect(await accountRow(id)).toMatchObject({ observed_generation: 1, outcome: 'applied' });
  });

  it('reports usage, which is stored for its own accounts only', async () => {
    const own = await addAccount(node);
    const other = await addAccount(await rig.startNode());
    const figures = { cpu_ms: 5, memory_mb: 6, disk_mb: 7, sent_bytes: 8, requests: 9, errors: 1 };
    const interval_start = Math.floor(Date.now() / 300_000) * 300 - 300;
    const accounts = [own, other].map(({ id }) => ({ account_id: id, ...figures }));
    const report = { interval_start, part: 0, server: null, accounts, sites: [], mail: [] };
    const send = (changes: Partial<UsageReport> = {}) =>
      node.call('ReportUsage', encodeUsageReport(node.sessionId, { ...report, ...changes }));
    await send();
    await send();
    const rows = await rig.database.db.selectFrom('account_usage').selectAll().execute();
    expect(rows.filter(({ step }) => step === 5)).toMatchObject([
      { account_id: own.id, slot: interval_start, ...figures },
    ]);
    expect(new Set(rows.map(({ account_id }) => account_id))).toEqual(new Set([own.id]));
    await expect(send({ interval_start: interval_start + 1 })).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
    });
  });

  it('does not get the accounts of another node', async () => {
    const other = await rig.startNode();
    const { id } = await addAccount(other);
    await waitUntil('the account', () => other.accounts.has(id));
    await node.sync();
    expect(node.accounts.has(id)).toBe(false);
  });

  it('reconnects after the control plane was down, and misses nothing', async () => {
    await rig.stopServer();
    const { id } = await addAccount(node);
    await rig.startServer();
    await waitUntil('the account', () => node.accounts.has(id), { timeoutMs: 20_000 });
  });

  it('catches up with changes after it was offline', async () => {
    await node.vanish();
    const { id } = await addAccount(node);
    await node.comeBack();
    await waitUntil('the account', () => node.accounts.has(id));
  });
});

describe('two agents with one identity', () => {
  it('the later one is accepted, and the earlier one is refused on every call', async () => {
    const { id } = await addAccount(node);
    await node.sync();
    const later = await rig.startNode({ identity: node.identity });
    const session_id = node.sessionId;
    const superseded = { code: status.FAILED_PRECONDITION };
    await expect(node.heartbeat()).rejects.toMatchObject(superseded);
    await expect(node.report(reportOn(id))).rejects.toMatchObject(superseded);
    const pull = { session_id, after_account_id: '0', limit: 1, settings_generation: '0' };
    await expect(node.call('PullAccounts', pull)).rejects.toMatchObject(superseded);
    await later.heartbeat();
    await waitUntil('the earlier to notice', () => node.superseded);
  });

  it('the earlier one does not get later changes', async () => {
    const later = await rig.startNode({ identity: node.identity });
    const { id } = await addAccount(node);
    await waitUntil('the account', () => later.accounts.has(id));
    await waitUntil('the earlier to notice', () => node.superseded);
    expect(node.accounts.has(id)).toBe(false);
  });
});

describe('a compromised node', () => {
  const lies = { tell: () => undefined };

  it('cannot report an account of another node: nothing is stored or published', async () => {
    const victim = await rig.startNode({ behaviour: lies });
    const { id } = await addAccount(victim);
    await expect(node.report(reportOn(id))).rejects.toMatchObject({ code: status.NOT_FOUND });
    await expect(node.report(reportOn(id, { outcome: 'absent' }))).rejects.toMatchObject({
      code: status.NOT_FOUND,
    });
    expect(await accountRow(id)).toMatchObject({ observed_generation: 0, outcome: null });
    expect(rig.observed).toEqual([]);
  });

  it('gets the same answer for an account of another node and for one that does not exist', async () => {
    const victim = await rig.startNode({ behaviour: lies });
    const { id } = await addAccount(victim);
    const said = async (accountId: number) =>
      node.report(reportOn(accountId)).catch(({ code, details }) => ({
        code,
        details: String(details).replace(String(accountId), 'ID'),
      }));
    expect(await said(id)).toEqual(await said(999_999));
  });

  it.each([
    ['a generation that it never got', { observed_generation: 7 }],
    ['an account absent that shall be active', { outcome: 'absent' }],
  ] as const)('cannot report %s', async (_, lie) => {
    node.behaviour.tell = () => undefined;
    const { id } = await addAccount(node);
    await expect(node.report(reportOn(id, lie))).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(await accountRow(id)).toMatchObject({ observed_generation: 0, outcome: null, state: 'active' });
    expect(rig.observed).toEqual([]);
  });

  it.each([
    ['outcome', { outcome: 'splendid' }],
    ['account_id', { account_id: '18446744073709551615' }],
    ['account_id', { account_id: '0' }],
    ['observed_generation', { observed_generation: '9007199254740993' }],
    ['session_id', { session_id: 'x'.repeat(65) }],
    ['session_id', { session_id: "' or 1=1 --........" }],
    ['conditions', { conditions: Array(51).fill({ type: 'web', reason: 'Failed', message: '' }) }],
    ['conditions.0.reason', { conditions: [{ type: 'web', reason: 'Bored', message: '' }] }],
    ['conditions.0.message', { conditions: [{ type: 'web', reason: 'Failed', message: 'x'.repeat(2_001) }] }],
    ['domains.0.status', { domains: [{ domain_id: '1', status: 'gone', reason: '', certificate: null }] }],
    ['driver_ms.web', { databases: [], apps: [], driver_ms: { web: -1 } }],
    ['driver_ms.web', { databases: [], apps: [], driver_ms: { web: Number.NaN } }],
  ])('gets a refusal that names %s of its report', async (field, garbage) => {
    const { id } = await addAccount(node);
    const message = { ...encodeAccountReport(node.sessionId, reportOn(id)), ...garbage };
    await expect(node.call('ReportAccount', message)).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining(field),
    });
  });

  it.each([
    ['limit', { limit: 0 }],
    ['limit', { limit: 501 }],
    ['after_account_id', { after_account_id: '18446744073709551615' }],
  ])('gets a refusal that names %s of its pull', async (field, garbage) => {
    const pull = {
      session_id: node.sessionId,
      after_account_id: '0',
      limit: 1,
      settings_generation: '0',
      ...garbage,
    };
    await expect(node.call('PullAccounts', pull)).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining(field),
    });
  });

  it('cannot make the control plane hold more than 4 MiB of a message', async () => {
    const reason = 'x'.repeat(2_000);
    const domains = Array(3_000).fill({ domain_id: '1', status: 'failed', reason, certificate: null });
    expect(domains.length * reason.length).toBeLessThan(MAX_MESSAGE_BYTES);
    const message = { ...encodeAccountReport(node.sessionId, reportOn(1)), domains };
    await expect(node.call('ReportAccount', message)).rejects.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
    });
    await node.heartbeat();
  });
});

describe('a failing node', () => {
  it('ends the create of an account that it cannot apply, and is asked to remove the rest of it', async () => {
    node.behaviour.fail = (spec) => (spec.desired_state === 'active' ? 'permanently' : undefined);
    const { id } = await addAccount(node);
    await waitUntil('the undoing', () => rig.observed.length > 1);
    expect(rig.observed).toEqual([
      { account_id: id, observed_generation: 1, outcome: 'failed' },
      { account_id: id, observed_generation: 2, outcome: 'absent' },
    ]);
    expect(node.accounts.has(id)).toBe(false);
  });

  it('gets the account again while it reports a retryable failure', async () => {
    let tries = 0;
    node.behaviour.fail = () => (++tries < 3 ? 'retryably' : undefined);
    const { id } = await addAccount(node);
    await waitUntil('the report', () => rig.observed.length > 0);
    expect(rig.observed).toEqual([{ account_id: id, observed_generation: 1, outcome: 'applied' }]);
    expect(tries).toBe(3);
  });
});

it('the log has one line for each call, with method, node and duration', async () => {
  rig.logLines.length = 0;
  await node.heartbeat();
  const line = rig.logLines.find(({ method, node_id }) => method === 'Heartbeat' && node_id === node.id);
  expect(line).toMatchObject({ level: 'debug', peer: expect.any(String), ms: expect.any(Number) });
  await expect(node.report(reportOn(999_999))).rejects.toThrow();
  expect(rig.logLines.findLast(({ level }) => level === 'warn')).toMatchObject({
    method: 'ReportAccount',
    node_id: node.id,
    status: 'NOT_FOUND',
  });
});
