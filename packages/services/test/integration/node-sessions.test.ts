import type { NodeFacts } from '@innkeeper/protocol';
import {
  acceptNodeCapacity,
  addNode,
  getNode,
  heartbeat,
  pullAccounts,
  registerSession,
  setNodeCapacity,
  storeReport,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { auditOfTarget, rowOf } from './fixtures.ts';
import {
  contextOf,
  counting,
  insertAccountRecord,
  nodeFacts,
  ownDatabase,
  reportOf,
  rowsWhere,
  sealer,
} from './records.ts';
import { expectRefusal } from './refusals.ts';

const database = ownDatabase();
let nodeId: number;
let serial = 0;

beforeEach(async () => {
  const { node } = await addNode(contextOf(database.db), { name: `web${++serial}`, address: '10.0.0.1' });
  nodeId = node.id;
});

const start = (session_id: string, facts: Partial<NodeFacts> = {}, db = database.db) =>
  registerSession(db, { now: new Date(), node_id: nodeId, session_id, ...nodeFacts, ...facts });

async function reserved(): Promise<string[]> {
  const rows = await rowsWhere(database.db, 'node_reserved_usernames', { node_id: nodeId });
  return rows.map((row) => row.username).sort();
}

test('a new session ends the one before, whose calls are refused', async () => {
  const account_id = await insertAccountRecord(database.db, { username: `tenant${serial}`, node_id: nodeId });
  expect(await start('first-session-0001')).toEqual({
    name: `web${serial}`,
    ended_session_id: null,
    has_jumped: false,
  });
  const old = { node_id: nodeId, session_id: 'first-session-0001' };
  expect(
    (
      await pullAccounts(
        { db: database.db, sealer },
        { ...old, after_account_id: 0, limit: 10, settings_generation: 1 },
      )
    ).accounts,
  ).toHaveLength(1);
  expect((await start('second-session-002')).ended_session_id).toBe('first-session-0001');

  const report = reportOf(account_id);
  for (const work of [
    () =>
      heartbeat(database.db, {
        ...old,
        accounts: 0,
        accounts_failed: 0,
        warnings: [],
        figures: {},
        settings_generation: 0,
        settings_problem: '',
      }),
    () =>
      pullAccounts(
        { db: database.db, sealer },
        { ...old, after_account_id: 0, limit: 10, settings_generation: 1 },
      ),
    () => storeReport(database.db, { ...old, report, now: new Date() }),
  ])
    await expectRefusal(work(), 'precondition_failed');

  const current = { node_id: nodeId, session_id: 'second-session-002' };
  expect(await storeReport(database.db, { ...current, report, now: new Date() })).toMatchObject({
    stored: true,
  });
});

test('a repeated hello of one session ends nothing', async () => {
  await start('first-session-0001');
  expect((await start('first-session-0001')).ended_session_id).toBeNull();
});

test('an unknown node starts no session', async () => {
  nodeId = 999_999;
  await expectRefusal(start('first-session-0001'), 'unauthenticated');
});

test('a heartbeat costs one statement', async () => {
  await start('first-session-0001');
  const counted = counting(database.db);
  await heartbeat(counted.db, {
    node_id: nodeId,
    session_id: 'first-session-0001',
    accounts: 1,
    accounts_failed: 0,
    warnings: ['FIREWALL_MISSING'],
    figures: { queue_waiting: 2 },
    settings_generation: 1,
    settings_problem: '',
  });
  expect(counted.statements()).toBe(1);
  expect((await getNode(contextOf(database.db), { node: nodeId })).warnings).toEqual(['FIREWALL_MISSING']);
});

test('the reserved names are those of the last hello, without names that no account can have', async () => {
  const hello = (reserved_usernames: string[]) => start('first-session-0001', { reserved_usernames });
  await hello(['backup', 'games', 'www-data', 'Debian-exim', 'café', 'a'.repeat(18)]);
  expect(await reserved()).toEqual(['backup', 'games', 'www-data']);
  await hello(['games', 'postgres', 'games']);
  expect(await reserved()).toEqual(['games', 'postgres']);
});

test('20,000 names are replaced in fewer than 40 statements, and unchanged names are not written', async () => {
  const names = (prefix: string) => Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`);
  const counted = counting(database.db);
  const hello = (reserved_usernames: string[]) =>
    start('first-session-0001', { reserved_usernames }, counted.db);
  await hello(names('a'));
  expect(counted.statements()).toBeLessThan(20);
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from node_reserved_usernames where node_id = ${nodeId}`.execute(database.db);
  expect(rows).toEqual([{ count: 20_000 }]);
  const before = counted.statements();
  await hello(names('a'));
  expect(counted.statements() - before).toBe(3);
  await hello(names('b'));
  expect(counted.statements() - before).toBeLessThan(40);
  expect(await reserved()).toEqual(names('b').sort());
});

test('a node that lost its ledger gets every account again, and its neighbour does not', async () => {
  const settled = { generation: 3, observed_generation: 3, outcome: 'applied' } as const;
  const mine = await insertAccountRecord(database.db, {
    username: `mine${serial}`,
    node_id: nodeId,
    ...settled,
  });
  const { node } = await addNode(contextOf(database.db), { name: `other${serial}`, address: '10.0.0.2' });
  const theirs = await insertAccountRecord(database.db, {
    username: `theirs${serial}`,
    node_id: node.id,
    ...settled,
  });
  const session = { node_id: nodeId, session_id: 'first-session-0001' };
  const pulled = async () =>
    (
      await pullAccounts(
        { db: database.db, sealer },
        { ...session, after_account_id: 0, limit: 10, settings_generation: 1 },
      )
    ).accounts.map(({ account_id, generation }) => ({ account_id, generation }));
  await start(session.session_id);
  expect(await pulled()).toEqual([]);

  await start(session.session_id, { ledger_incomplete: true });
  expect(await pulled()).toEqual([{ account_id: mine, generation: 3 }]);
  expect((await rowOf(database.db, theirs)).observed_generation).toBe(3);
});

test('a node that reports several times its former capacity is flagged', async () => {
  for (const [session_id, facts, has_jumped] of [
    ['session-of-jumps-1', {}, false],
    ['session-of-jumps-2', { memory_bytes: 2 ** 33 }, false],
    ['session-of-jumps-3', { memory_bytes: 2 ** 36 }, true],
    ['session-of-jumps-4', { disk_bytes: 2 ** 43 }, true],
  ] as const)
    expect(await start(session_id, facts), session_id).toMatchObject({ has_jumped });
});

test('a node whose capacity grows in small steps is flagged too, until an operator accepts or sets its capacity', async () => {
  const session = (memory_bytes: number) => start('session-0123456789', { memory_bytes });
  const shown = async () => {
    const { counted, capacity_jumped_at } = await getNode(contextOf(database.db), { node: nodeId });
    return [counted.memory_bytes, capacity_jumped_at !== null];
  };
  const GiB = 2 ** 30;
  await session(GiB);
  await session(3 * GiB);
  expect(await shown()).toEqual([3 * GiB, false]);
  expect(await session(9 * GiB)).toMatchObject({ has_jumped: true });
  expect(await shown()).toEqual([4 * GiB, true]);
  await session(2 * GiB);
  expect(await shown()).toEqual([2 * GiB, true]);

  await session(9 * GiB);
  await setNodeCapacity(contextOf(database.db), { node: nodeId, disk_mb: 1_024 });
  expect(await shown()).toEqual([4 * GiB, true]);
  await setNodeCapacity(contextOf(database.db), { node: nodeId, memory_mb: 6 * 1_024 });
  expect(await shown()).toEqual([6 * GiB, false]);
  expect(await session(99 * GiB)).toMatchObject({ has_jumped: false });
  expect(await shown()).toEqual([6 * GiB, false]);
  await setNodeCapacity(contextOf(database.db), { node: nodeId, memory_mb: null });
  expect(await shown()).toEqual([4 * GiB, true]);

  await acceptNodeCapacity(contextOf(database.db), { node: nodeId });
  expect(await shown()).toEqual([99 * GiB, false]);
  expect(await session(100 * GiB)).toMatchObject({ has_jumped: false });
  expect(await auditOfTarget(database.db, `node:${nodeId}`)).toEqual([
    'node.add',
    'node.set-capacity',
    'node.set-capacity',
    'node.set-capacity',
    'node.accept-capacity',
  ]);
});
