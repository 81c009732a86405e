import { type Database, inTransaction } from '@innkeeper/db';
import type { AccountReport } from '@innkeeper/protocol';
import { createRequireIdentity, createStoreReport, registerSession } from '@innkeeper/services';
import type { Kysely } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addOnlineNode, session_id } from './fixtures.ts';
import {
  type AccountRecord,
  counting,
  insertAccountRecord,
  insertDomainRecord,
  ownDatabase,
  reportOf,
  untilItWaitsForALock,
} from './records.ts';
import { expectRefusal, refusalOf } from './refusals.ts';

const database = ownDatabase();
let nodeId: number;
let serial = 0;
beforeAll(async () => {
  nodeId = await addOnlineNode(database.db);
});

const now = new Date('2026-11-23T10:00:00Z');
const account = (record: Partial<AccountRecord> = {}) =>
  insertAccountRecord(database.db, { username: `together${++serial}`, node_id: nodeId, ...record });
const row = (id: number) =>
  database.db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
const storing = (db: Kysely<Database> = database.db) => {
  const store = createStoreReport(db);
  return (report: AccountReport, by = { node_id: nodeId, session_id }) => store({ ...by, report, now });
};

async function accounts(count: number, record: Partial<AccountRecord> = {}): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < count; i += 1) ids.push(await account(record));
  return ids;
}

test('reports that arrive together cost as few statements as one, and each is stored for its account', async () => {
  const ids = await accounts(16, { generation: 3, observed_generation: 2 });
  const domainIds: number[] = [];
  for (const id of ids)
    domainIds.push(await insertDomainRecord(database.db, { account_id: id, domain_name: `d${id}.example` }));
  await database.db.updateTable('domains').set({ status: 'active' }).where('account_id', 'in', ids).execute();
  const counted = counting(database.db);
  const store = storing(counted.db);
  const results = await Promise.all(
    ids.map((id, index) =>
      store(
        reportOf(id, {
          observed_generation: 3,
          domains: [{ domain_id: domainIds[index] ?? 0, status: 'active', reason: '', certificate: null }],
        }),
      ),
    ),
  );
  // The lock, what is stored, and the observations.
  expect(counted.statements()).toBe(3);
  expect(results).toEqual(
    ids.map((account_id) => ({
      stored: true,
      observed: { account_id, observed_generation: 3, outcome: 'applied' },
    })),
  );
  for (const id of ids)
    expect(await row(id)).toMatchObject({
      observed_generation: 3,
      pending: 0,
      outcome: 'applied',
      observed_at: now,
      first_applied_at: now,
    });
});

test('reports that differ are stored as they are, with their own domains', async () => {
  const [first = 0, second = 0, third = 0] = await accounts(3, {
    generation: 5,
    observed_generation: 2,
    first_applied_at: now,
  });
  const domain = (account_id: number) =>
    insertDomainRecord(database.db, { account_id, domain_name: `own${account_id}.example` });
  const [ofFirst, ofSecond] = [await domain(first), await domain(second)];
  const conditions = [{ type: 'web', reason: 'Failed' as const, message: 'No.' }];
  const store = storing();
  const status = (domain_id: number, reason: string) => ({
    domain_id,
    status: 'failed' as const,
    reason,
    certificate: null,
  });
  await Promise.all([
    store(reportOf(first, { observed_generation: 4, domains: [status(ofFirst, 'one')] })),
    // The second domain is the first account's.
    store(
      reportOf(second, {
        observed_generation: 5,
        outcome: 'failed',
        conditions,
        domains: [status(ofSecond, 'two'), status(ofFirst, 'another’s')],
      }),
    ),
    store(reportOf(third, { observed_generation: 5 })),
  ]);
  expect(await row(first)).toMatchObject({ observed_generation: 4, pending: 1, outcome: 'applied' });
  expect(await row(second)).toMatchObject({
    observed_generation: 5,
    pending: 0,
    outcome: 'failed',
    conditions: JSON.stringify(conditions),
  });
  expect(await row(third)).toMatchObject({ observed_generation: 5, pending: 0, outcome: 'applied' });
  const reasons = await database.db
    .selectFrom('domains')
    .select(['id', 'status_reason'])
    .where('id', 'in', [ofFirst, ofSecond])
    .orderBy('id')
    .execute();
  expect(reasons).toEqual([
    { id: ofFirst, status_reason: 'one' },
    { id: ofSecond, status_reason: 'two' },
  ]);
});

test('a report that is refused, stale or a removal does not affect the reports that arrive with it', async () => {
  const [good = 0, ahead = 0, stale = 0] = await accounts(3, { generation: 4, observed_generation: 3 });
  const ending = await account({ state: 'terminating', generation: 2, observed_generation: 1 });
  const unmade = await account();
  const progressing = await account();
  const elsewhere = await account({ node_id: await addOnlineNode(database.db) });
  const store = storing();
  const results = await Promise.allSettled([
    store(reportOf(good, { observed_generation: 4 })),
    store(reportOf(ahead, { observed_generation: 5 })),
    store(reportOf(stale, { observed_generation: 2 })),
    store(reportOf(ending, { observed_generation: 2, outcome: 'absent' })),
    store(reportOf(unmade, { outcome: 'failed' })),
    store(reportOf(progressing, { outcome: 'progressing' })),
    store(reportOf(elsewhere)),
    store(reportOf(999_999)),
  ]);
  expect(results).toMatchObject([
    { value: { stored: true, observed: { account_id: good, observed_generation: 4 } } },
    { reason: { code: 'invalid' } },
    { value: { stored: false } },
    { value: { observed: { account_id: ending, outcome: 'absent' } } },
    { value: { observed: { account_id: unmade, outcome: 'failed' }, wake: { generation: 2 } } },
    { value: { stored: true } },
    { reason: { code: 'not_found' } },
    { reason: { code: 'not_found' } },
  ]);
  expect(await row(ahead)).toMatchObject({ observed_generation: 3, outcome: null });
  expect(await row(stale)).toMatchObject({ observed_generation: 3, outcome: null });
  expect(await row(ending)).toBeUndefined();
  expect(await row(unmade)).toMatchObject({ state: 'terminating', generation: 2, observed_generation: 1 });
  expect(await row(progressing)).toMatchObject({ observed_generation: 0, pending: 1 });
  expect(await row(elsewhere)).toMatchObject({ observed_generation: 0, outcome: null });
});

test('no report waits for the lock of another account', async () => {
  const [locked = 0, free = 0] = await accounts(2);
  const store = storing();
  let waiting: Promise<unknown> = Promise.resolve();
  await inTransaction(database.db, async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', locked).forUpdate().execute();
    waiting = store(reportOf(locked));
    expect(await store(reportOf(free))).toMatchObject({ observed: { account_id: free } });
    await untilItWaitsForALock(database.db, waiting);
    expect(await row(locked)).toMatchObject({ outcome: null });
  });
  expect(await waiting).toMatchObject({ observed: { account_id: locked } });
  expect(await row(locked)).toMatchObject({ observed_generation: 1, outcome: 'applied' });
});

test('of two reports about one account that arrive together the newer stays, in either order', async () => {
  for (const generations of [
    [1, 2],
    [2, 1],
  ]) {
    const id = await account({ generation: 2, observed_generation: 0 });
    const store = storing();
    await Promise.all(generations.map((observed_generation) => store(reportOf(id, { observed_generation }))));
    expect(await row(id)).toMatchObject({ observed_generation: 2, pending: 0 });
  }
});

test('a report of an earlier session is refused, also beside one of the newest session', async () => {
  const node_id = await addOnlineNode(database.db);
  const [old = 0, other = 0, newest = 0] = await accounts(3, { node_id });
  const store = storing();
  const earlier = { node_id, session_id: 'session-of-an-earlier-agent' };
  const results = await Promise.allSettled([
    store(reportOf(old), earlier),
    store(reportOf(other), earlier),
    store(reportOf(newest), { node_id, session_id }),
  ]);
  expect(results).toMatchObject([
    { reason: { code: 'precondition_failed' } },
    { reason: { code: 'precondition_failed' } },
    { value: { observed: { account_id: newest } } },
  ]);
  expect(await row(old)).toMatchObject({ outcome: null });
});

test('reports that waited while a later session took over are refused', async () => {
  const node_id = await addOnlineNode(database.db);
  const ids = await accounts(2, { node_id });
  const store = storing();
  let late: Promise<unknown[]> = Promise.resolve([]);
  await inTransaction(database.db, async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', 'in', ids).forUpdate().execute();
    late = Promise.all(ids.map((id) => refusalOf(store(reportOf(id), { node_id, session_id }))));
    await untilItWaitsForALock(database.db, late);
    await registerSession(database.db, {
      now: new Date(),
      node_id,
      session_id: 'session-of-a-later-agent',
      agent_version: '1.0.0',
      hostname: 'web',
      cpu_count: 1,
      memory_bytes: 1,
      disk_bytes: 1,
      disk_quota: 'accounting-only',
      io_limits: false,
      reserved_usernames: [],
      ledger_incomplete: false,
      node_versions: [],
      php_version: null,
      time_zone: null,
      ssh_fingerprint: null,
      ftp_fingerprint: null,
    });
  });
  const refused = { code: 'precondition_failed' };
  expect(await late).toMatchObject([refused, refused]);
  for (const id of ids) expect(await row(id)).toMatchObject({ outcome: null });
});

test('reports race with changes of their accounts, and none marks a generation as applied that it does not name', async () => {
  const ids = await accounts(6, { generation: 1, observed_generation: 0 });
  const store = storing();
  let stop = false;
  const writer = (async () => {
    while (!stop)
      for (const id of ids)
        await database.db
          .updateTable('accounts')
          .set(({ eb }) => ({ generation: eb('generation', '+', 1) }))
          .where('id', '=', id)
          .execute();
  })();
  try {
    for (let round = 0; round < 40; round += 1) {
      const known = await database.db
        .selectFrom('accounts')
        .select(['id', 'generation'])
        .where('id', 'in', ids)
        .execute();
      await Promise.all(
        known.map(({ id, generation }) => store(reportOf(id, { observed_generation: generation }))),
      );
      for (const { id, generation } of known)
        expect(await row(id)).toMatchObject({ observed_generation: generation });
    }
  } finally {
    stop = true;
    await writer;
  }
});

test('a shared transaction that fails costs no report', async () => {
  const ids = await accounts(3);
  let failures = 0;
  const failing = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    // The lock of all three accounts is the first statement with three rows.
    transformResult: async ({ result }) => {
      if (failures > 0 || result.rows.length !== ids.length) return result;
      failures += 1;
      throw new Error('The server is tired.');
    },
  });
  const store = storing(failing);
  expect(await Promise.all(ids.map((id) => store(reportOf(id))))).toHaveLength(3);
  expect(failures).toBe(1);
  for (const id of ids) expect(await row(id)).toMatchObject({ observed_generation: 1, outcome: 'applied' });
});

test('calls of a node that arrive together read its identity once; each is judged by its own certificate', async () => {
  const node_id = await addOnlineNode(database.db);
  const counted = counting(database.db);
  const require = createRequireIdentity(counted.db);
  const current = { node_id, issue: { epoch: 0, number: 0 } };
  const ended = { node_id, issue: { epoch: 7, number: 0 } };
  const results = await Promise.allSettled([require(current), require(ended), require(current)]);
  expect(counted.statements()).toBe(1);
  expect(results).toMatchObject([
    { status: 'fulfilled' },
    { reason: { code: 'unauthenticated' } },
    { status: 'fulfilled' },
  ]);
  await database.db.updateTable('nodes').set({ identity_epoch: 1 }).where('id', '=', node_id).execute();
  await expectRefusal(require(current), 'unauthenticated');
});
