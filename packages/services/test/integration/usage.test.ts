import type { Answer, Question } from '@innkeeper/protocol';
import {
  type AskNode,
  changeAccountPackage,
  createUsageRefresher,
  getAccount,
  getBulkUsage,
  getUsage,
  type OperatorContext,
  setAccountResources,
  terminateAccount,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, addReseller, open, reportNewest, rowOf } from './fixtures.ts';
import { counting, insertAccountRecord, limits, ownDatabase, rowsWhere } from './records.ts';
import { expectRefusal } from './refusals.ts';

const database = ownDatabase();
let packageId: number;
let accountId: number;

/** The questions to the nodes, and the nodes' answers. */
let questions: { nodeId: number; account_ids: number[] }[] = [];
let says: (nodeId: number, question: Question<'usage'>) => Promise<Answer<'usage'> | undefined>;
const figures = { disk_used_mb: 11, bandwidth_used_mb: 22, cpu_used_percent: 33, ram_used_mb: 44 };
const month = new Date().toISOString().slice(0, 7);
const answerWith = (accounts: Answer<'usage'>['accounts'], inMonth = month) => ({ month: inMonth, accounts });
const honest: typeof says = async (_, { account_ids }) =>
  answerWith(account_ids.map((account_id) => ({ account_id, ...figures })));

const askNode: AskNode = async (nodeId, _verb, question) => {
  const { account_ids } = question as Question<'usage'>;
  questions.push({ nodeId, account_ids });
  return (await says(nodeId, { account_ids })) as never;
};

beforeAll(async () => {
  await addOnlineNode(database.db);
  packageId = await addPackage(database.db);
});
beforeEach(async () => {
  accountId = (await open(admin(), { package_id: packageId })).accountId;
  questions = [];
  says = honest;
});

/** Returns the context of one API instance, with its own list of requests in progress. */
function instance(now = () => new Date()): OperatorContext {
  const refreshUsage = createUsageRefresher({ db: database.db, askNode, now });
  return { ...actor(database.db), now, refreshUsage };
}
const admin = () => actor(database.db);
const usageOf = (ctx: OperatorContext, account_id = accountId) => getUsage(ctx, { account_id });
const snapshotOf = (account_id: number) =>
  database.db
    .selectFrom('usage_snapshots')
    .selectAll()
    .where('account_id', '=', account_id)
    .executeTakeFirst();
const makeStale = (account_id = accountId) =>
  sql`update usage_snapshots set taken_at = now(6) - interval 61 second where account_id = ${account_id}`.execute(
    database.db,
  );

const unused = {
  disk_used_mb: 0,
  disk_limit_mb: 1_000,
  bandwidth_used_mb: 0,
  bandwidth_limit_mb: 10_000,
  cpu_used_percent: 0,
  cpu_limit_percent: 100,
  ram_used_mb: 0,
  ram_limit_mb: 512,
  measured_at: null,
};

describe('a snapshot', () => {
  test('has the node’s current measurement and the current limits', async () => {
    const usage = await usageOf(instance());
    expect(usage).toEqual({ ...unused, ...figures, measured_at: expect.any(Date) });
    expect(Math.abs(Date.now() - (usage.measured_at?.getTime() ?? 0))).toBeLessThan(10_000);
    await setAccountResources(admin(), {
      account_id: accountId,
      ...limits,
      disk_limit_mb: 3_000,
      terminal_access: false,
    });
    expect((await usageOf(instance())).disk_limit_mb).toBe(3_000);
    expect(questions).toHaveLength(1);
  });

  test('is shared for 60 seconds by all instances, by the single and the bulk endpoint, and by the account', async () => {
    const [one, other] = [instance(), instance()];
    const usage = await usageOf(one);
    expect(await usageOf(other)).toEqual(usage);
    expect((await getBulkUsage(other, { account_ids: [accountId] })).data).toEqual({ [accountId]: usage });
    const shown = await getAccount(other, { account_id: accountId, include: new Set(['usage']) });
    expect(shown.usage).toEqual(usage);
    expect(questions).toHaveLength(1);
    await makeStale();
    await usageOf(other);
    expect(questions).toHaveLength(2);
  });

  test('asks the node once for all concurrent requests', async () => {
    const gate = Promise.withResolvers<void>();
    says = async (...args) => {
      await gate.promise;
      return honest(...args);
    };
    const one = instance();
    let waiting = 0;
    const ctx: OperatorContext = {
      ...one,
      refreshUsage: (accounts) => {
        waiting += 1;
        return one.refreshUsage(accounts);
      },
    };
    const others = [(await open(admin(), { package_id: packageId })).accountId, accountId];
    const asking = Promise.all([
      ...Array.from({ length: 32 }, () => usageOf(ctx)),
      getBulkUsage(ctx, { account_ids: others }).then(({ data }) => data[accountId]),
    ]);
    // A request that reads the old snapshot, and asks only after the answer, costs another question.
    while (waiting < 33) await new Promise(setImmediate);
    gate.resolve();
    for (const usage of await asking) expect(usage).toMatchObject(figures);
    expect(questions.flatMap(({ account_ids }) => account_ids).filter((id) => id === accountId)).toEqual([
      accountId,
    ]);
  });

  test('is 0 before the first measurement, and the last measurement while the node does not answer', async () => {
    says = async () => undefined;
    expect(await usageOf(instance())).toEqual(unused);
    says = honest;
    const { measured_at } = await usageOf(instance());
    await makeStale();
    says = async () => undefined;
    const later = await usageOf(instance());
    expect(later).toMatchObject(figures);
    expect(later.measured_at?.getTime()).toBeLessThan(measured_at?.getTime() ?? 0);
  });

  test('is not replaced by an older answer that arrives late', async () => {
    const gate = Promise.withResolvers<void>();
    says = async () => {
      await gate.promise;
      return answerWith([{ account_id: accountId, ...figures, disk_used_mb: 1 }]);
    };
    const late = usageOf(instance());
    while (questions.length === 0) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 5));
    says = async () => answerWith([{ account_id: accountId, ...figures, disk_used_mb: 2 }]);
    await usageOf(instance());
    gate.resolve();
    expect((await late).disk_used_mb).toBe(2);
    expect((await snapshotOf(accountId))?.disk_used_mb).toBe(2);
  });
});

describe('a node’s answer', () => {
  test('counts once, for the requested accounts only', async () => {
    const elsewhere = await addOnlineNode(database.db);
    const { node_id } = await rowOf(database.db, accountId);
    const foreign = await insertAccountRecord(database.db, {
      username: 'foreign',
      node_id: node_id === elsewhere ? node_id - 1 : elsewhere,
    });
    says = async (_, { account_ids }) =>
      answerWith([
        ...account_ids.map((account_id) => ({ account_id, ...figures })),
        { account_id: accountId, ...figures, disk_used_mb: 999 },
        { account_id: foreign, ...figures },
        { account_id: 9_999_999, ...figures },
      ]);
    expect(await usageOf(instance())).toMatchObject(figures);
    expect(await snapshotOf(foreign)).toBeUndefined();
  });

  test('for an account that is gone is dropped, and the other accounts’ stays', async () => {
    const gone = (await open(admin(), { package_id: packageId })).accountId;
    says = async (...args) => {
      await terminateAccount(admin(), { account_id: gone });
      await reportNewest(database.db, gone, { outcome: 'absent' });
      return honest(...args);
    };
    const { data, meta } = await getBulkUsage(instance(), { account_ids: [gone, accountId] });
    expect(data[accountId]).toMatchObject(figures);
    expect(meta).toEqual({ requested: 2, returned: 1, missing_ids: [gone] });
  });

  test('may have the largest values of the schema', async () => {
    const most = {
      disk_used_mb: 1_000_000_000_000,
      bandwidth_used_mb: 1_000_000_000_000,
      cpu_used_percent: 10_000_000,
      ram_used_mb: 1_000_000_000_000,
    };
    says = async () => answerWith([{ account_id: accountId, ...most }]);
    expect(await usageOf(instance())).toMatchObject(most);
  });
});

describe('bandwidth', () => {
  const tell = async (bandwidth_used_mb: number, inMonth?: string, now?: () => Date) => {
    await makeStale();
    says = async () => answerWith([{ account_id: accountId, ...figures, bandwidth_used_mb }], inMonth);
    return (await usageOf(instance(now))).bandwidth_used_mb;
  };

  test('never falls within a month', async () => {
    expect(await tell(500)).toBe(500);
    expect(await tell(20)).toBe(500);
    expect(await tell(501)).toBe(501);
  });

  test('of the last month does not count for this month', async () => {
    expect(await tell(500)).toBe(500);
    const later = new Date(Date.now() + 40 * 86_400_000);
    const nextMonth = later.toISOString().slice(0, 7);
    expect((await usageOf(instance(() => later))).bandwidth_used_mb).toBe(0);
    expect(await tell(7, nextMonth, () => later)).toBe(7);
    expect((await usageOf(instance())).bandwidth_used_mb).toBe(500);
  });

  test.each(['2020-01', '2099-12', '9999-99'])('of the month %s is ignored', async (inMonth) => {
    expect(await tell(500, inMonth)).toBe(0);
    expect((await snapshotOf(accountId))?.disk_used_mb).toBe(figures.disk_used_mb);
    const rows = await rowsWhere(database.db, 'bandwidth_monthly', { account_id: accountId });
    expect(rows).toEqual([]);
  });
});

describe('bulk', () => {
  test('asks each node once, all at the same time, and costs as many statements as one account does', async () => {
    const nodes = [await addOnlineNode(database.db), await addOnlineNode(database.db)];
    const ids: number[] = [];
    for (let i = 0; i < 100; i++)
      ids.push(await insertAccountRecord(database.db, { username: `bulk${i}`, node_id: nodes[i % 2] ?? 0 }));
    const meet = Promise.withResolvers<void>();
    says = async (...args) => {
      if (questions.length === 2) meet.resolve();
      await meet.promise;
      return honest(...args);
    };
    const stale = counting(database.db);
    const ctx = instance();
    const refreshUsage = createUsageRefresher({ db: stale.db, askNode, now: ctx.now });
    const { data, meta } = await getBulkUsage(
      { ...ctx, db: stale.db, refreshUsage },
      { account_ids: [...ids, ...ids] },
    );
    expect(Object.keys(data)).toHaveLength(100);
    expect(meta).toEqual({ requested: 100, returned: 100, missing_ids: [] });
    expect(questions.map(({ nodeId }) => nodeId).sort()).toEqual([...nodes].sort());
    expect(stale.statements()).toBeLessThanOrEqual(4);

    const fresh = counting(database.db);
    await getBulkUsage({ ...instance(), db: fresh.db }, { account_ids: ids });
    expect(fresh.statements()).toBe(1);
    expect(questions).toHaveLength(2);
  });

  test('lists unknown accounts and accounts of another reseller as missing', async () => {
    const reseller = await addReseller(database.db);
    const own = await addPackage(database.db, { owner: reseller.username });
    const theirs = (await open(reseller, { package_id: own })).accountId;
    const ctx = { ...reseller, refreshUsage: instance().refreshUsage };
    const { data, meta } = await getBulkUsage(ctx, { account_ids: [9_999_999, theirs, accountId, -1, 0] });
    expect(Object.keys(data)).toEqual([String(theirs)]);
    expect(meta).toEqual({ requested: 5, returned: 1, missing_ids: [9_999_999, accountId, -1, 0] });
    await expectRefusal(usageOf(ctx), 'not_found');
    expect(questions.flatMap(({ account_ids }) => account_ids)).toEqual([theirs]);
  });

  test('a node that does not answer does not affect the figures of other nodes', async () => {
    const silent = await addOnlineNode(database.db);
    const there = await insertAccountRecord(database.db, { username: 'silent', node_id: silent });
    says = async (nodeId, question) => (nodeId === silent ? undefined : honest(nodeId, question));
    const { data } = await getBulkUsage(instance(), { account_ids: [there, accountId] });
    expect(data[there]).toEqual(unused);
    expect(data[accountId]).toMatchObject(figures);
  });
});

describe('a package change', () => {
  test('is compared with the current disk usage', async () => {
    const small = await addPackage(database.db, { disk_mb: 200 });
    await usageOf(instance());
    await makeStale();
    says = async () => answerWith([{ account_id: accountId, ...figures, disk_used_mb: 300 }]);
    await expectRefusal(changeAccountPackage(instance(), { account_id: accountId, package_id: small }), {
      code: 'invalid',
      message: expect.stringContaining('300 MiB of disk (at most 200)'),
    });
    await makeStale();
    says = honest;
    await changeAccountPackage(instance(), { account_id: accountId, package_id: small });
    expect((await rowOf(database.db, accountId)).package_id).toBe(small);
  });
});
