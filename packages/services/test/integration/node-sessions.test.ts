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
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contextOf, counting, insertAccountRecord, refusalOf, sealer } from './records.ts';

let database: TestDatabase;
let nodeId: number;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  const { node } = await addNode(contextOf(database.db), { name: `web${++serial}`, address: '10.0.0.1' });
  nodeId = node.id;
});
afterAll(() => database.drop());

const facts = {
  agent_version: '1.0.0',
  hostname: 'web1',
  cpu_count: 2,
  memory_bytes: 2 ** 31,
  disk_bytes: 2 ** 40,
  disk_quota: 'accounting-only',
  io_limits: false,
  node_versions: [],
  php_version: null,
  time_zone: null,
};
const start = (session_id: string, reserved_usernames: string[] = []) =>
  registerSession(database.db, {
    node_id: nodeId,
    session_id,
    ...facts,
    reserved_usernames,
    ledger_incomplete: false,
    node_versions: [],
    php_version: null,
    time_zone: null,
  });

async function reserved(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('node_reserved_usernames')
    .select('username')
    .where('node_id', '=', nodeId)
    .orderBy('username')
    .execute();
  return rows.map((row) => row.username);
}

test('the latest session wins, and every call of the one before is refused', async () => {
  const account_id = await insertAccountRecord(database.db, { username: `tenant${serial}`, node_id: nodeId });
  expect(await start('first-session-0001')).toEqual({
    name: `web${serial}`,
    ended_session_id: null,
    has_jumped: false,
  });
  const old = { node_id: nodeId, session_id: 'first-session-0001' };
  expect(
    (await pullAccounts({ db: database.db, sealer }, { ...old, after_account_id: 0, limit: 10 })).accounts,
  ).toHaveLength(1);
  expect((await start('second-session-002')).ended_session_id).toBe('first-session-0001');

  const report = {
    account_id,
    observed_generation: 1,
    outcome: 'applied' as const,
    conditions: [],
    domains: [],
    databases: [],
    apps: [],
    driver_ms: {},
  };
  for (const work of [
    () => heartbeat(database.db, { ...old, accounts: 0, accounts_failed: 0, warnings: [] }),
    () => pullAccounts({ db: database.db, sealer }, { ...old, after_account_id: 0, limit: 10 }),
    () => storeReport(database.db, { ...old, report, now: new Date() }),
  ])
    expect(await refusalOf(work())).toMatchObject({ code: 'precondition_failed' });

  const current = { node_id: nodeId, session_id: 'second-session-002' };
  expect(await storeReport(database.db, { ...current, report, now: new Date() })).toMatchObject({
    stored: true,
  });
});

test('a session that says hello again ends nothing', async () => {
  await start('first-session-0001');
  expect((await start('first-session-0001')).ended_session_id).toBeNull();
});

test('a node that is not known starts no session', async () => {
  nodeId = 999_999;
  expect(await refusalOf(start('first-session-0001'))).toMatchObject({ code: 'unauthenticated' });
});

test('a heartbeat is one statement', async () => {
  await start('first-session-0001');
  const counted = counting(database.db);
  await heartbeat(counted.db, {
    node_id: nodeId,
    session_id: 'first-session-0001',
    accounts: 1,
    accounts_failed: 0,
    warnings: ['FIREWALL_MISSING'],
  });
  expect(counted.statements()).toBe(1);
  expect((await getNode(contextOf(database.db), { node: nodeId })).warnings).toEqual(['FIREWALL_MISSING']);
});

test('reserved names become those of the last hello; names that no account can have are left out', async () => {
  await start('first-session-0001', ['backup', 'games', 'www-data', 'Debian-exim', 'café', 'a'.repeat(18)]);
  expect(await reserved()).toEqual(['backup', 'games', 'www-data']);
  await start('first-session-0001', ['games', 'postgres', 'games']);
  expect(await reserved()).toEqual(['games', 'postgres']);
});

test('20,000 names come and go in a few statements, and the same again writes none of them', async () => {
  const names = (prefix: string) => Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`);
  const counted = counting(database.db);
  const hello = (reserved_usernames: string[]) =>
    registerSession(counted.db, {
      node_id: nodeId,
      session_id: 'first-session-0001',
      ...facts,
      reserved_usernames,
      ledger_incomplete: false,
      node_versions: [],
      php_version: null,
      time_zone: null,
    });
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

test('a node that lost its ledger is sent every account again, and its neighbour is not', async () => {
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
      await pullAccounts({ db: database.db, sealer }, { ...session, after_account_id: 0, limit: 10 })
    ).accounts.map(({ account_id, generation }) => ({ account_id, generation }));
  await start(session.session_id);
  expect(await pulled()).toEqual([]);

  await registerSession(database.db, {
    ...session,
    ...facts,
    reserved_usernames: [],
    ledger_incomplete: true,
  });
  expect(await pulled()).toEqual([{ account_id: mine, generation: 3 }]);
  const neighbour = await database.db
    .selectFrom('accounts')
    .select('observed_generation')
    .where('id', '=', theirs)
    .executeTakeFirstOrThrow();
  expect(neighbour.observed_generation).toBe(3);
});

test('a node that says it has several times what it had is told apart', async () => {
  const session = (session_id: string, changes: object) =>
    registerSession(database.db, {
      node_id: nodeId,
      session_id,
      ...facts,
      reserved_usernames: [],
      ledger_incomplete: false,
      ...changes,
    });
  expect(await session('session-of-jumps-1', {})).toMatchObject({ has_jumped: false });
  expect(await session('session-of-jumps-2', { memory_bytes: 2 ** 33 })).toMatchObject({ has_jumped: false });
  expect(await session('session-of-jumps-3', { memory_bytes: 2 ** 36 })).toMatchObject({ has_jumped: true });
  expect(await session('session-of-jumps-4', { disk_bytes: 2 ** 43 })).toMatchObject({ has_jumped: true });
});

test('a node that creeps upwards is told apart too, until an operator accepts or sets its capacity', async () => {
  const { node } = await addNode(contextOf(database.db), { name: 'creeping', address: '10.0.0.7' });
  const session = (memory_bytes: number) =>
    registerSession(database.db, {
      node_id: node.id,
      session_id: 'session-0123456789',
      ...facts,
      memory_bytes,
      reserved_usernames: [],
      ledger_incomplete: false,
    });
  const shown = async () => {
    const { counted, capacity_jumped_at } = await getNode(contextOf(database.db), { node: node.id });
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
  await setNodeCapacity(contextOf(database.db), { node: node.id, disk_mb: 1_024 });
  expect(await shown()).toEqual([4 * GiB, true]);
  await setNodeCapacity(contextOf(database.db), { node: node.id, memory_mb: 6 * 1_024 });
  expect(await shown()).toEqual([6 * GiB, false]);
  expect(await session(99 * GiB)).toMatchObject({ has_jumped: false });
  expect(await shown()).toEqual([6 * GiB, false]);
  await setNodeCapacity(contextOf(database.db), { node: node.id, memory_mb: null });
  expect(await shown()).toEqual([4 * GiB, true]);

  await acceptNodeCapacity(contextOf(database.db), { node: node.id });
  expect(await shown()).toEqual([99 * GiB, false]);
  expect(await session(100 * GiB)).toMatchObject({ has_jumped: false });
  const log = await database.db
    .selectFrom('audit_log')
    .select('action')
    .where('target', '=', `node:${node.id}`)
    .where('action', 'like', 'node.%capacity')
    .execute();
  expect(log.map(({ action }) => action)).toEqual([
    'node.set-capacity',
    'node.set-capacity',
    'node.set-capacity',
    'node.accept-capacity',
  ]);
});
