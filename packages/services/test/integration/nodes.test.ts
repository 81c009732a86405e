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
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contextOf, counting, insertAccountRecord, refusalOf } from './records.ts';

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const ctx = () => contextOf(database.db);
const enroll = (secret: string) =>
  enrollNode(database.db, { secret, nats_public_key: `U${String(++serial).padStart(55, 'A')}` });
const nextName = () => `node-${++serial}`;
const hello = {
  agent_version: '1.0.0',
  hostname: 'web1.example.com',
  cpu_count: 4,
  memory_bytes: 8 * 2 ** 30,
  disk_bytes: 100 * 2 ** 30,
  disk_quota: 'enforced',
  node_versions: [],
  php_version: null,
  time_zone: null,
  io_limits: true,
  reserved_usernames: [],
  ledger_incomplete: false,
};

/** Simulates that the last heartbeat of the node was this many seconds ago. */
async function silence(nodeId: number, seconds: number): Promise<void> {
  await sql`update nodes set last_seen_at = now(6) - interval ${seconds} second where id = ${nodeId}`.execute(
    database.db,
  );
}

test('a new node is new, takes an address in canonical form, and its secret is stored as a hash only', async () => {
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
])('a node called %j at %j is refused by field', async (name, address, field) => {
  expect(await refusalOf(addNode(ctx(), { name, address }))).toMatchObject({
    code: 'invalid',
    fields: { [field]: [expect.stringContaining(field)] },
  });
});

test('a name is one node’s', async () => {
  const name = nextName();
  await addNode(ctx(), { name, address: 'web.example.com' });
  expect(await refusalOf(addNode(ctx(), { name, address: '10.0.0.1' }))).toMatchObject({
    code: 'invalid',
    fields: { name: ['The name has already been taken.'] },
  });
});

test('no join secret lives longer than an hour', async () => {
  const { node } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1', lifetime_seconds: 60 });
  for (const lifetime_seconds of [0, 3_601, 1.5, Number.NaN])
    expect(await refusalOf(renewJoinToken(ctx(), { node: node.id, lifetime_seconds }))).toMatchObject({
      code: 'invalid',
      fields: { lifetime_seconds: [expect.any(String)] },
    });
});

test('of 32 that enrol with one secret at once exactly one wins', async () => {
  const { node, secret } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  const results = await Promise.all(
    Array.from({ length: 32 }, () => refusalOf(enroll(secret).then((won) => ({ won })))),
  );
  const won = results.filter((result) => (result as { resolved?: unknown }).resolved !== undefined);
  expect(won).toMatchObject([{ resolved: { won: { node_id: node.id, name: node.name } } }]);
  for (const lost of results.filter((result) => result instanceof Error))
    expect(lost).toMatchObject({ code: 'forbidden', message: expect.stringContaining('used already') });
  expect((await getNode(ctx(), { node: node.id })).enrolled_at).toBeInstanceOf(Date);
});

test('a secret that is unknown, expired or replaced is forbidden, with a sentence', async () => {
  const { node, secret } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  expect(await refusalOf(enroll('x'.repeat(43)))).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('unknown'),
  });
  const renewed = await renewJoinToken(ctx(), { node: node.name });
  expect(await refusalOf(enroll(secret))).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('a newer one took its place'),
  });
  await sql`update node_join_tokens set expires_at = now(6) where node_id = ${node.id}`.execute(database.db);
  expect(await refusalOf(enroll(renewed.secret))).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('expired'),
  });
  const last = await renewJoinToken(ctx(), { node: node.name });
  expect(await enroll(last.secret)).toEqual({
    node_id: node.id,
    name: node.name,
    issue: { epoch: 1, number: 1 },
  });
});

test('a node is active while it is heard of, offline after 45 s of silence, and cordoned on demand', async () => {
  const { node } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  const session = { node_id: node.id, session_id: 'session-0123456789' };
  const before = await findOnlineCounts(database.db);
  await registerSession(database.db, { ...session, ...hello });
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
  await heartbeat(database.db, { ...session, accounts: 3, accounts_failed: 1, warnings: [] });
  expect(await cordonNode(ctx(), { node: node.id })).toMatchObject({
    state: 'cordoned',
    accounts_reported: 3,
    accounts_failed: 1,
  });
  expect(await uncordonNode(ctx(), { node: node.name })).toMatchObject({ state: 'active', cordoned: false });
  const log = await database.db
    .selectFrom('audit_log')
    .select('action')
    .where('target', '=', `node:${node.id}`)
    .orderBy('id')
    .execute();
  expect(log.map((row) => row.action)).toEqual(['node.add', 'node.cordon', 'node.uncordon']);
});

test('the list shows what accounts may take of each node, in one statement however many there are', async () => {
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

test('a node with accounts stays, and says how many; without them it goes with all that hung on it', async () => {
  const { node, secret } = await addNode(ctx(), { name: nextName(), address: '10.0.0.1' });
  const session = { node_id: node.id, session_id: 'session-0123456789' };
  await registerSession(database.db, { ...session, ...hello, reserved_usernames: ['backup', 'games'] });
  const id = await insertAccountRecord(database.db, { username: 'stays', node_id: node.id });
  expect(await refusalOf(removeNode(ctx(), { node: node.id }))).toMatchObject({
    code: 'precondition_failed',
    message: expect.stringContaining('still has 1 account.'),
  });
  await database.db.deleteFrom('accounts').where('id', '=', id).execute();
  expect(await removeNode(ctx(), { node: node.name })).toEqual({ id: node.id, name: node.name });
  expect(await refusalOf(getNode(ctx(), { node: node.id }))).toMatchObject({ code: 'not_found' });
  expect(
    await refusalOf(heartbeat(database.db, { ...session, accounts: 0, accounts_failed: 0, warnings: [] })),
  ).toMatchObject({
    code: 'unauthenticated',
  });
  expect(await refusalOf(enroll(secret))).toMatchObject({ code: 'forbidden' });
});

test('nodes are admins’ business', async () => {
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
    expect(await refusalOf(work())).toMatchObject({ code: 'forbidden' });
});
