import { type AccountReport, accountSpecSchema } from '@innkeeper/protocol';
import { addNode, pullAccounts, registerSession, storeReport } from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import {
  type AccountRecord,
  contextOf,
  counting,
  insertAccountRecord,
  insertAppRecord,
  insertDomainRecord,
  insertUsageRecord,
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
  nodeId = await newNode();
});

const session_id = 'session-0123456789';
const now = new Date('2026-11-21T10:00:00Z');

async function newNode(): Promise<number> {
  const { node } = await addNode(contextOf(database.db), { name: `web${++serial}`, address: '10.0.0.1' });
  await registerSession(database.db, {
    now: new Date(),
    node_id: node.id,
    session_id,
    ...nodeFacts,
  });
  return node.id;
}

const account = (record: Partial<AccountRecord> = {}) =>
  insertAccountRecord(database.db, { username: `tenant${++serial}`, node_id: nodeId, ...record });
const row = async (id: number) => (await rowsWhere(database.db, 'accounts', { id }))[0];
const domains = async (account_id: number) =>
  (await rowsWhere(database.db, 'domains', { account_id })).map(({ id, status, status_reason }) => ({
    id,
    status,
    status_reason,
  }));

const addDomain = (
  account_id: number,
  domain_name: string,
  more: { is_primary?: boolean; state?: 'removing' } = {},
) => insertDomainRecord(database.db, { account_id, domain_name, ...more });
const gone = (domain_id: number) => ({
  domains: [{ domain_id, status: 'absent' as const, reason: '', certificate: null }],
});

function report(account_id: number, says: Partial<AccountReport> = {}): ReturnType<typeof storeReport> {
  return storeReport(database.db, {
    node_id: nodeId,
    session_id,
    report: reportOf(account_id, says),
    now,
  });
}
const pull = (after_account_id: number, limit: number, db = database.db) =>
  pullAccounts(
    { db, sealer },
    { node_id: nodeId, session_id, after_account_id, limit, settings_generation: 1 },
  );

test('every pulled spec matches the agent’s schema, with tombstones and all states', async () => {
  const id = await account({ io_read_mbps: 20 });
  const kept = await addDomain(id, 'kept.example', { is_primary: true });
  const removed = await addDomain(id, 'gone.example', { state: 'removing' });
  await account({ state: 'suspended' });
  await account({ state: 'terminating', generation: 4, observed_generation: 3 });
  const { accounts, has_more } = await pull(0, 500);
  expect(has_more).toBe(false);
  expect(accounts.map((spec) => accountSpecSchema.parse(spec))).toEqual(accounts);
  expect(accounts.map(({ desired_state, generation }) => [desired_state, generation])).toEqual([
    ['active', 1],
    ['suspended', 1],
    ['absent', 4],
  ]);
  expect(accounts[0]).toMatchObject({
    account_id: id,
    limits: { io_read_mbps: 20, io_write_mbps: null },
    domains: [
      { domain_id: kept, name: 'kept.example', is_primary: true, desired_state: 'active' },
      { domain_id: removed, name: 'gone.example', is_primary: false, desired_state: 'absent' },
    ],
  });
});

test('pending accounts of the node are pulled by ascending id, in pages', async () => {
  const mine = [await account(), await account(), await account(), await account()];
  await account({ generation: 3, observed_generation: 3 });
  await insertAccountRecord(database.db, { username: 'elsewhere', node_id: await newNode() });
  const first = await pull(0, 3);
  expect(first.accounts.map((spec) => spec.account_id)).toEqual(mine.slice(0, 3));
  expect(first.has_more).toBe(true);
  const rest = await pull(mine[2] ?? 0, 3);
  expect(rest.accounts.map((spec) => spec.account_id)).toEqual(mine.slice(3));
  expect(rest.has_more).toBe(false);
  expect(await pull(mine[3] ?? 0, 3)).toEqual({ accounts: [], has_more: false, settings: null });
});

test('a pull uses the index of pending accounts, and costs one statement for any number of accounts', async () => {
  for (let i = 0; i < 12; i++) {
    const id = await account();
    await addDomain(id, `d${id}.example`);
  }
  // With fewer accounts, MySQL's planner uses the first index that it finds.
  await Promise.all(Array.from({ length: 100 }, () => account({ observed_generation: 1 })));
  const counted = counting(database.db);
  expect((await pull(0, 500, counted.db)).accounts).toHaveLength(12);
  expect(counted.statements()).toBe(1);
  const { rows } = await sql<{
    EXPLAIN: string;
  }>`explain format=json select id from accounts where node_id = ${nodeId} and pending = 1 and id > 0 order by id limit 10`.execute(
    database.db,
  );
  // MariaDB says `key` and `filesort`, MySQL `index_name` and `sort`.
  expect(rows[0]?.EXPLAIN).toMatch(/"(?:key|index_name)": "accounts_node_pending"/);
  expect(rows[0]?.EXPLAIN).not.toMatch(/filesort|"sort/);
});

test('a change that commits during a pull is in the spec completely or not at all', async () => {
  const id = await account();
  let stop = false;
  const writer = (async () => {
    for (let generation = 2; !stop; generation++)
      await database.db.transaction().execute(async (trx) => {
        await trx.updateTable('accounts').set({ generation }).where('id', '=', id).execute();
        await insertDomainRecord(trx, { account_id: id, domain_name: `g${generation}-${id}.example` });
      });
  })();
  try {
    for (let i = 0; i < 200; i++) {
      const spec = (await pull(0, 10)).accounts[0];
      expect(spec?.domains).toHaveLength((spec?.generation ?? 0) - 1);
    }
  } finally {
    stop = true;
    await writer;
  }
});

test('texts and numbers of every kind are pulled as they are stored', async () => {
  const id = await account();
  const text = '\'"`\\n\\ \n\r\t\u0001\u2028 %_ $$ {"a":[1]} äöü 漢字 🚀';
  const child = { account_id: id, name: 'child', created_at: now, updated_at: now };
  await database.db
    .insertInto('cron_jobs')
    .values([
      { ...child, schedule: '@daily', command: text, enabled: 1 },
      { ...child, schedule: '@hourly', command: '', enabled: 0 },
    ])
    .execute();
  const { insertId } = await database.db
    .insertInto('apps')
    .values({ ...child, template_key: 'node', status: 'running', start_command: text })
    .executeTakeFirstOrThrow();
  const app_id = Number(insertId);
  const variable = { account_id: id, app_id, sealed_value: null };
  await database.db
    .insertInto('app_env_vars')
    .values([
      { ...variable, name: 'LONG', value: text.repeat(500) },
      { ...variable, name: 'NONE', value: '' },
    ])
    .execute();
  const [spec] = (await pull(id - 1, 1)).accounts;
  expect(spec?.cron_jobs).toMatchObject([
    { schedule: '@daily', command: text, enabled: true },
    { schedule: '@hourly', command: '', enabled: false },
  ]);
  expect(spec?.apps).toMatchObject([
    {
      app_id,
      start_command: text,
      domain_id: null,
      env: [
        { name: 'LONG', value: text.repeat(500), is_secret: false },
        { name: 'NONE', value: '', is_secret: false },
      ],
      release: null,
    },
  ]);
});

test('an applied report stores the generation, its domains and its conditions', async () => {
  const id = await account({ generation: 2, observed_generation: 1 });
  const good = await addDomain(id, `good${id}.example`);
  const bad = await addDomain(id, `bad${id}.example`);
  const silent = await addDomain(id, `silent${id}.example`);
  const conditions = [{ type: 'web', reason: 'Applied' as const, message: '' }];
  expect(
    await report(id, {
      observed_generation: 2,
      conditions,
      domains: [
        { domain_id: good, status: 'active', reason: '', certificate: null },
        {
          domain_id: bad,
          status: 'failed',
          reason: "The name is another’s; \\ and ' stay as they are.",
          certificate: null,
        },
        { domain_id: 999_999, status: 'active', reason: '', certificate: null },
      ],
    }),
  ).toEqual({ stored: true, observed: { account_id: id, observed_generation: 2, outcome: 'applied' } });
  expect(await row(id)).toMatchObject({
    observed_generation: 2,
    pending: 0,
    outcome: 'applied',
    conditions: JSON.stringify(conditions),
    observed_at: now,
  });
  expect(await domains(id)).toEqual([
    { id: good, status: 'active', status_reason: null },
    { id: bad, status: 'failed', status_reason: "The name is another’s; \\ and ' stay as they are." },
    { id: silent, status: 'pending', status_reason: null },
  ]);
});

test('the statuses of a thousand domains cost 5 statements, and 3 when nothing changes', async () => {
  const id = await account({ first_applied_at: now });
  const ids: number[] = [];
  for (let i = 0; i < 1_000; i += 1) ids.push(await addDomain(id, `n${i}-${id}.example`));
  const statuses = ids.map((domain_id) => ({
    domain_id,
    status: 'failed' as const,
    reason: `No ${domain_id}`,
    certificate: null,
  }));
  const counted = counting(database.db);
  const store = () =>
    storeReport(counted.db, {
      node_id: nodeId,
      session_id,
      now,
      report: reportOf(id, { outcome: 'failed', domains: statuses }),
    });
  await store();
  expect(counted.statements()).toBe(5);
  expect((await domains(id)).map(({ status_reason }) => status_reason)).toEqual(ids.map((i) => `No ${i}`));
  await store();
  expect(counted.statements()).toBe(5 + 3);
});

test('a failed report stores the generation too, and can become applied', async () => {
  const id = await account({ first_applied_at: now });
  expect(await report(id, { outcome: 'failed' })).toMatchObject({ observed: { outcome: 'failed' } });
  expect(await row(id)).toMatchObject({ observed_generation: 1, outcome: 'failed', pending: 0 });
  await report(id, { outcome: 'applied' });
  expect(await row(id)).toMatchObject({ observed_generation: 1, outcome: 'applied' });
});

test('a progressing report replaces only the conditions', async () => {
  const id = await account({ generation: 2, observed_generation: 1 });
  await report(id, { observed_generation: 1, outcome: 'applied' });
  const conditions = [{ type: 'php', reason: 'Retrying' as const, message: 'The socket is busy.' }];
  expect(await report(id, { observed_generation: 2, outcome: 'progressing', conditions })).toEqual({
    stored: true,
  });
  expect(await row(id)).toMatchObject({
    observed_generation: 1,
    pending: 1,
    outcome: 'applied',
    conditions: JSON.stringify(conditions),
  });
});

test.each(['applied', 'failed', 'progressing'] as const)(
  'a stale report (%s) changes nothing',
  async (outcome) => {
    const id = await account({ generation: 5, observed_generation: 3 });
    const domain_id = await addDomain(id, `stale${id}.example`);
    const before = await row(id);
    expect(
      await report(id, {
        observed_generation: 2,
        outcome,
        conditions: [{ type: 'web', reason: 'Failed', message: 'Old.' }],
        domains: [{ domain_id, status: 'failed', reason: 'Old.', certificate: null }],
      }),
    ).toEqual({ stored: false });
    expect(await row(id)).toEqual(before);
    expect(await domains(id)).toEqual([{ id: domain_id, status: 'pending', status_reason: null }]);
  },
);

test('32 concurrent reports in any order leave the newest', async () => {
  const id = await account({ generation: 32, observed_generation: 0 });
  const generations = Array.from({ length: 32 }, (_, index) => ((index * 13) % 32) + 1);
  await Promise.all(generations.map((observed_generation) => report(id, { observed_generation })));
  expect(await row(id)).toMatchObject({ observed_generation: 32, pending: 0 });
});

test('impossible reports are refused, and nothing changes', async () => {
  const active = await account({ generation: 2, observed_generation: 1 });
  const ending = await account({ generation: 2, observed_generation: 1, state: 'terminating' });
  const before = [await row(active), await row(ending)];
  for (const [id, says] of [
    [active, { observed_generation: 3 }],
    [active, { observed_generation: 3, outcome: 'progressing' }],
    [active, { observed_generation: 2, outcome: 'absent' }],
    [active, { observed_generation: 1, outcome: 'absent' }],
    [ending, { observed_generation: 2, outcome: 'applied' }],
    [ending, { observed_generation: 3, outcome: 'absent' }],
  ] as const)
    await expectRefusal(report(id, says), {
      code: 'invalid',
      message: expect.stringContaining(`Account ${id}`),
    });
  expect([await row(active), await row(ending)]).toEqual(before);
});

test('another node’s account is not found, as one that does not exist', async () => {
  const id = await account({ state: 'terminating' });
  nodeId = await newNode();
  await expectRefusal(report(id, { outcome: 'absent' }), 'not_found');
  await expectRefusal(report(999_999), 'not_found');
  expect(await row(id)).toBeDefined();
});

test('a domain’s tombstone is deleted when the newest generation is applied, and its name is free', async () => {
  const id = await account({ generation: 3, observed_generation: 1 });
  const name = `tomb${id}.example`;
  const domain_id = await addDomain(id, name, { state: 'removing' });
  await report(id, { ...gone(domain_id), observed_generation: 2 });
  await report(id, { ...gone(domain_id), observed_generation: 3, outcome: 'progressing' });
  expect(await domains(id)).toHaveLength(1);
  expect((await pull(0, 10)).accounts[0]?.domains).toHaveLength(1);
  await report(id, { ...gone(domain_id), observed_generation: 3 });
  expect(await domains(id)).toEqual([]);
  await addDomain(await account(), name);
});

test('an active domain that is reported absent is failed, not deleted', async () => {
  const id = await account();
  const domain_id = await addDomain(id, `lost${id}.example`);
  await report(id, gone(domain_id));
  expect(await domains(id)).toEqual([
    { id: domain_id, status: 'failed', status_reason: 'The hosting server says it has no such domain.' },
  ]);
});

test('a report changes no domain of another account', async () => {
  const id = await account();
  const neighbour = await account();
  const theirs = await addDomain(neighbour, `n${neighbour}.example`, { state: 'removing' });
  await report(id, gone(theirs));
  expect(await domains(neighbour)).toEqual([{ id: theirs, status: 'pending', status_reason: null }]);
});

test('an absent report deletes everything of a terminating account, and frees its names', async () => {
  const id = await account({ state: 'terminating', generation: 5, observed_generation: 4 });
  const { username, user_id } = (await row(id)) ?? { username: '', user_id: 0 };
  await addDomain(id, `all${id}.example`);
  const child = { account_id: id, name: 'child', created_at: now, updated_at: now };
  await insertAppRecord(database.db, { account_id: id });
  await database.db
    .insertInto('databases')
    .values({ ...child, db_name: `db${id}`, sealed_password: 'sealed' })
    .execute();
  await database.db
    .insertInto('cron_jobs')
    .values({ ...child, schedule: '@daily', command: 'true', enabled: 1 })
    .execute();
  await insertUsageRecord(database.db, id);
  const neighbour = await account();

  expect(await report(id, { observed_generation: 4, outcome: 'absent' })).toEqual({ stored: false });
  expect(await row(id)).toBeDefined();
  expect(await report(id, { observed_generation: 5, outcome: 'absent' })).toEqual({
    stored: true,
    observed: { account_id: id, observed_generation: 5, outcome: 'absent' },
  });
  expect(await row(id)).toBeUndefined();
  for (const table of ['domains', 'apps', 'databases', 'cron_jobs', 'usage_snapshots'] as const)
    expect(
      await database.db.selectFrom(table).selectAll().where('account_id', '=', id).execute(),
      table,
    ).toEqual([]);
  expect(await rowsWhere(database.db, 'usernames', { username })).toEqual([]);
  expect(await rowsWhere(database.db, 'users', { id: user_id })).toEqual([]);
  expect(await row(neighbour)).toBeDefined();
  await account({ username });
  await expectRefusal(report(id, { observed_generation: 5, outcome: 'absent' }), 'not_found');

  const log = await rowsWhere(database.db, 'audit_log', { account_id: id });
  expect(log).toMatchObject([
    {
      action: 'account.removed',
      target: `account:${id}`,
      address: `node:${nodeId}`,
      details: JSON.stringify({ before: { username } }),
    },
  ]);
});
