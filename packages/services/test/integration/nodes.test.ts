import {
  addNode,
  cordonNode,
  enrollNode,
  findOnlineCounts,
  getNode,
  heartbeat,
  listNodes,
  registerSession,
  removeNode,
  renewJoinToken,
  uncordonNode,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { auditOfTarget } from './fixtures.ts';
import { contextOf, counting, insertAccountRecord, nodeFacts, ownDatabase } from './records.ts';
import { expectRefusal, failedPrecondition, forbidden, invalid, refusalOf, taken } from './refusals.ts';

const database = ownDatabase();
let serial = 0;

const ctx = () => contextOf(database.db);
const enroll = (secret: string) =>
  enrollNode(database.db, {
    now: new Date(),
    secret,
    nats_public_key: `U${String(++serial).padStart(55, 'A')}`,
  });
const nextName = () => `node-${++serial}`;
const hello = {
  ...nodeFacts,
  cpu_count: 4,
  memory_bytes: 8 * 2 ** 30,
  disk_bytes: 100 * 2 ** 30,
  disk_quota: 'enforced',
  io_limits: true,
} as const;

/** Simulates that the last heartbeat of the node was this many seconds ago. */
async function silence(nodeId: number, seconds: number): Promise<void> {
  await sql`update nodes set last_seen_at = now(6) - interval ${seconds} second where id = ${nodeId}`.execute(
    database.db,
  );
}

test('a new node has a canonical address, and its secret is stored as a hash only', async () => {
  const { node, secret, expires_at } = await addNode(ctx(), { name: ' Web-A ', address: '2001:DB8:0::1' });
  expect(node).toMatchObject({ name: 'web-a', address: '2001:db8::1', state: 'new', online: false });
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  const left = expires_at.getTime() - Date.now();
  expect(left).toBeGreaterThan(3_590_000);
  expect(left).toBeLessThan(3_610_000);
  const { rows } = await sql<{
    hash: string;
  }>`select hex(token_hash) as hash from node_join_tokens where node_id = ${node.id}`.execute(database.db);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex').toUpperCase());
  expect(await getNode(ctx(), { node: node.id })).toEqual(node);
  expect(await getNode(ctx(), { node: 'web-a' })).toEqual(node);
});

test.each([
  ['', '10.0.0.1', 'name'],
  ['-a', '10.0.0.1', 'name'],
  ['42', '10.0.0.1', 'name'],
  ['a_b', '10.0.0.1', 'name'],
  ['a'.repeat(64), '10.0.0.1', 'name'],
  ['web\n', '', 'address'],
  ['web', 'localhost', 'address'],
  ['web', '10.0.0.256', 'address'],
  ['web', '10.0.0.1:22', 'address'],
  ['web', 'exa mple.com', 'address'],
])('a node named %j at %j is refused at its field', async (name, address, field) => {
  await expectRefusal(
    addNode(ctx(), { name, address }),
    invalid({ [field]: expect.stringContaining(field) }),
  );
});

test('a node name is unique', async () => {
  const name = nextName();
  await addNode(ctx(), { name, address: 'web.example.com' });
  await expectRefusal(addNode(ctx(), { name, address: '10.0.0.1' }), taken('name'));
});

test('no join secret is valid for more than an hour', async () => {
  const { node } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1', lifetime_seconds: 60 });
  for (const lifetime_seconds of [0, 3_601, 1.5, Number.NaN])
    await expectRefusal(
      renewJoinToken(ctx(), { node: node.id, lifetime_seconds }),
      invalid({ lifetime_seconds: expect.any(String) }),
    );
});

test('of 32 concurrent enrolments with one secret exactly one succeeds', async () => {
  const { node, secret } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  const results = await Promise.all(
    Array.from({ length: 32 }, () => refusalOf(enroll(secret).then((won) => ({ won })))),
  );
  const won = results.filter((result) => (result as { resolved?: unknown }).resolved !== undefined);
  expect(won).toMatchObject([{ resolved: { won: { node_id: node.id, name: node.name } } }]);
  for (const lost of results.filter((result) => result instanceof Error))
    expect(lost).toMatchObject(forbidden(expect.stringContaining('used already')));
  expect((await getNode(ctx(), { node: node.id })).enrolled_at).toBeInstanceOf(Date);
});

test('an unknown, expired or replaced secret is refused with a sentence', async () => {
  const { node, secret } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  await expectRefusal(enroll('x'.repeat(43)), forbidden(expect.stringContaining('unknown')));
  const renewed = await renewJoinToken(ctx(), { node: node.name });
  await expectRefusal(enroll(secret), forbidden(expect.stringContaining('a newer one took its place')));
  await sql`update node_join_tokens set expires_at = now(6) where node_id = ${node.id}`.execute(database.db);
  await expectRefusal(enroll(renewed.secret), forbidden(expect.stringContaining('expired')));
  const last = await renewJoinToken(ctx(), { node: node.name });
  expect(await enroll(last.secret)).toEqual({
    node_id: node.id,
    name: node.name,
    issue: { epoch: 1, number: 1 },
  });
});

test('a node is active after heartbeats, offline after 45 s of silence, and cordoned by an operator', async () => {
  const { node } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  const session = { node_id: node.id, session_id: 'session-0123456789' };
  const before = await findOnlineCounts(database.db);
  await registerSession(database.db, { now: new Date(), ...session, ...hello });
  expect(await getNode(ctx(), { node: node.id })).toMatchObject({
    state: 'active',
    online: true,
    agent_version: '1.0.0',
    disk_quota: 'enforced',
    io_limits: true,
    capacity: { cpu_count: 4, memory_bytes: 8 * 2 ** 30, disk_bytes: 100 * 2 ** 30 },
  });
  expect(await findOnlineCounts(database.db)).toEqual({ total: before.total, online: before.online + 1 });
  await silence(node.id, 44);
  expect((await getNode(ctx(), { node: node.id })).state).toBe('active');
  await silence(node.id, 46);
  expect(await getNode(ctx(), { node: node.id })).toMatchObject({ state: 'offline', online: false });
  expect(await findOnlineCounts(database.db)).toEqual(before);
  expect(await cordonNode(ctx(), { node: node.id })).toMatchObject({ state: 'offline', cordoned: true });
  await heartbeat(database.db, {
    ...session,
    accounts: 3,
    accounts_failed: 1,
    warnings: [],
    figures: {},
    settings_generation: 0,
    settings_problem: '',
  });
  expect(await cordonNode(ctx(), { node: node.id })).toMatchObject({
    state: 'cordoned',
    accounts_reported: 3,
    accounts_failed: 1,
  });
  expect(await uncordonNode(ctx(), { node: node.name })).toMatchObject({ state: 'active', cordoned: false });
  expect(await auditOfTarget(database.db, `node:${node.id}`)).toEqual([
    'node.add',
    'node.cordon',
    'node.uncordon',
  ]);
});

test('the list shows the allocated resources of each node, with one statement', async () => {
  const { node } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  await insertAccountRecord(database.db, { username: 'load1', node_id: node.id, disk_limit_mb: 3_000 });
  await insertAccountRecord(database.db, {
    username: 'load2',
    node_id: node.id,
    ram_limit_mb: 2_048,
    state: 'terminating',
  });
  const counted = counting(database.db);
  const nodes = await listNodes(contextOf(counted.db));
  expect(counted.statements()).toBe(1);
  expect(nodes.map(({ name }) => name)).toEqual(nodes.map(({ name }) => name).sort());
  expect(nodes.find(({ id }) => id === node.id)?.allocated).toEqual({
    accounts: 2,
    disk_mb: 4_000,
    ram_mb: 2_560,
  });
});

test('a node with accounts is not removed; a node without accounts is removed with its sessions and secrets', async () => {
  const { node, secret } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  const session = { node_id: node.id, session_id: 'session-0123456789' };
  await registerSession(database.db, {
    now: new Date(),
    ...session,
    ...hello,
    reserved_usernames: ['backup', 'games'],
  });
  const id = await insertAccountRecord(database.db, { username: 'stays', node_id: node.id });
  await expectRefusal(
    removeNode(ctx(), { node: node.id }),
    failedPrecondition(expect.stringContaining('still has 1 account.')),
  );
  await database.db.deleteFrom('accounts').where('id', '=', id).execute();
  expect(await removeNode(ctx(), { node: node.name })).toEqual({ id: node.id, name: node.name });
  await expectRefusal(getNode(ctx(), { node: node.id }), 'not_found');
  await expectRefusal(
    heartbeat(database.db, {
      ...session,
      accounts: 0,
      accounts_failed: 0,
      warnings: [],
      figures: {},
      settings_generation: 0,
      settings_problem: '',
    }),
    'unauthenticated',
  );
  await expectRefusal(enroll(secret), 'forbidden');
});

test('a reseller may not use the verbs of nodes', async () => {
  const reseller = contextOf(database.db, { role: 'reseller', userId: 7 });
  const { node } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  const ref = { node: node.id };
  for (const work of [
    () => listNodes(reseller),
    () => getNode(reseller, ref),
    () => addNode(reseller, { name: nextName(), address: '10.0.0.1' }),
    () => renewJoinToken(reseller, ref),
    () => cordonNode(reseller, ref),
    () => uncordonNode(reseller, ref),
    () => removeNode(reseller, ref),
  ])
    await expectRefusal(work(), 'forbidden');
});
