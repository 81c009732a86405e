import type { UsageReport } from '@innkeeper/protocol';
import {
  getSiteTraffic,
  getUsageHistory,
  removeNode,
  storeUsage,
  sweepUsage,
  terminateAccount,
} from '@innkeeper/services';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getServerHistory } from '../../src/nodes/get-server-history.ts';
import {
  actor,
  addOnlineNode,
  addPackage,
  addReseller,
  open,
  reportNewest,
  rowOf,
  session_id,
} from './fixtures.ts';
import {
  counting,
  fresh,
  insertAccountRecord,
  insertDomainRecord,
  ownDatabase,
  rowsWhere,
} from './records.ts';
import { expectRefusal } from './refusals.ts';

const database = ownDatabase();
let packageId: number;
let nodeId: number;
let accountId: number;
let domainId: number;

const seconds = (time: string) => Date.parse(time) / 1_000;
/** The start of an interval that is over at `now`. */
const START = seconds('2026-11-24T09:50:00Z');
const now = new Date('2026-11-24T10:00:20Z');

beforeAll(async () => {
  packageId = await addPackage(database.db);
});
beforeEach(async () => {
  nodeId = await addOnlineNode(database.db);
  accountId = await insertAccountRecord(database.db, { username: fresh('used'), node_id: nodeId });
  domainId = await insertDomainRecord(database.db, {
    account_id: accountId,
    domain_name: `${fresh('site')}.example`,
  });
});

const traffic = { sent_bytes: 1_000, requests: 10, errors: 1 };
const server = {
  cpu_busy_ms: 150_000,
  cpu_total_ms: 600_000,
  memory_mb: 700,
  memory_total_mb: 2_048,
  disk_mb: 5_000,
  disk_total_mb: 100_000,
  load_percent: 150,
  accounts: 3,
  running_accounts: 2,
  ...traffic,
};
const ofAccount = (account_id: number) => ({
  account_id,
  cpu_ms: 30_000,
  memory_mb: 200,
  disk_mb: 50,
  ...traffic,
});

function reportOf(says: Partial<UsageReport> = {}): UsageReport {
  const sites = [{ domain_id: domainId, ...traffic }];
  return {
    interval_start: START,
    part: 0,
    server,
    accounts: [ofAccount(accountId)],
    sites,
    mail: [],
    ...says,
  };
}

/** Stores a part just after the end of its interval, or at another time. */
function store(report: UsageReport, at = new Date((report.interval_start + 320) * 1_000), node_id = nodeId) {
  return storeUsage(database.db, { node_id, session_id, report, now: at });
}

const admin = (at = now) => ({ ...actor(database.db), now: () => at });
const rowsOf = (account_id = accountId) => rowsWhere(database.db, 'account_usage', { account_id });

describe('an interval', () => {
  test('is a sample, and counts for its hour and its day', async () => {
    await store(reportOf());
    await store(
      reportOf({
        interval_start: START + 300,
        accounts: [{ ...ofAccount(accountId), memory_mb: 100, disk_mb: 60 }],
      }),
    );
    const one = {
      account_id: accountId,
      measured_s: 300,
      cpu_ms: 30_000,
      memory_mb: 200,
      disk_mb: 50,
      ...traffic,
    };
    const both = {
      ...one,
      measured_s: 600,
      cpu_ms: 60_000,
      disk_mb: 60,
      sent_bytes: 2_000,
      requests: 20,
      errors: 2,
    };
    expect(await rowsOf()).toEqual([
      { ...one, step: 5, slot: START },
      { ...one, step: 5, slot: START + 300, memory_mb: 100, disk_mb: 60 },
      { ...both, step: 60, slot: seconds('2026-11-24T09:00:00Z') },
      { ...both, step: 1_440, slot: seconds('2026-11-24T00:00:00Z') },
    ]);
    expect(await rowsWhere(database.db, 'server_usage', { node_id: nodeId, step: 60 })).toMatchObject([
      { measured_s: 600, cpu_busy_ms: 300_000, memory_mb: 700, requests: 20, accounts: 3 },
    ]);
    expect(await rowsWhere(database.db, 'site_usage', { domain_id: domainId })).toEqual([
      {
        slot: seconds('2026-11-24T00:00:00Z'),
        domain_id: domainId,
        sent_bytes: 2_000,
        requests: 20,
        errors: 2,
      },
    ]);
  });

  test('counts once, whoever stores it how often, and another part of it counts too', async () => {
    const other = await insertAccountRecord(database.db, { username: fresh('used'), node_id: nodeId });
    await Promise.all([store(reportOf()), store(reportOf()), store(reportOf())]);
    await store(reportOf({ part: 1, server: null, accounts: [ofAccount(other)], sites: [] }));
    for (const id of [accountId, other])
      expect((await rowsOf(id)).map(({ step, requests }) => [step, requests])).toEqual([
        [5, 10],
        [60, 10],
        [1_440, 10],
      ]);
  });

  test('after midnight begins another day and another hour', async () => {
    const last = seconds('2026-11-24T23:55:00Z');
    await store(reportOf({ interval_start: last }));
    await store(reportOf({ interval_start: last + 300 }));
    const starts = (await rowsOf()).map(({ slot }) => new Date(slot * 1_000).toISOString().slice(5, 16));
    expect(starts).toEqual([
      '11-24T23:55',
      '11-25T00:00',
      '11-24T23:00',
      '11-25T00:00',
      '11-24T00:00',
      '11-25T00:00',
    ]);
  });

  test.each([
    ['of a clock that is an hour ahead', -3_600],
    ['of a clock that is two hours behind', 7_200],
    ['of 1970', 1e9],
  ])('%s is ignored', async (_, late) => {
    await store(reportOf(), new Date((START + 300 + late) * 1_000));
    expect(await rowsOf()).toEqual([]);
    expect(await rowsWhere(database.db, 'usage_parts', { node_id: nodeId })).toEqual([]);
  });

  test('of a session that has ended is refused', async () => {
    const report = reportOf();
    const ended = storeUsage(database.db, { node_id: nodeId, session_id: 'x'.repeat(20), report, now });
    await expectRefusal(ended, 'precondition_failed');
    expect(await rowsOf()).toEqual([]);
  });

  test('counts only for accounts and sites of the node, each once', async () => {
    const elsewhere = await addOnlineNode(database.db);
    const foreign = await insertAccountRecord(database.db, { username: fresh('used'), node_id: elsewhere });
    const site = await insertDomainRecord(database.db, {
      account_id: foreign,
      domain_name: `${fresh('site')}.example`,
    });
    const accounts = [foreign, accountId, accountId, 9_999_999].map(ofAccount);
    const sites = [site, domainId, domainId, 9_999_999].map((domain_id) => ({ domain_id, ...traffic }));
    await store(reportOf({ accounts, sites }));
    expect(await rowsOf(foreign)).toEqual([]);
    expect(await rowsOf(9_999_999)).toEqual([]);
    expect((await rowsOf()).map(({ requests }) => requests)).toEqual([10, 10, 10]);
    expect(await rowsWhere(database.db, 'site_usage', { domain_id: site })).toEqual([]);
    expect(await rowsWhere(database.db, 'site_usage', { domain_id: domainId })).toMatchObject([
      { requests: 10 },
    ]);
  });

  test('costs as many statements for 1,000 accounts as for one', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 200; i++)
      ids.push(await insertAccountRecord(database.db, { username: fresh('many'), node_id: nodeId }));
    const counted = counting(database.db);
    const report = reportOf({ accounts: ids.map(ofAccount) });
    await storeUsage(counted.db, { node_id: nodeId, session_id, report, now });
    expect(counted.statements()).toBeLessThanOrEqual(12);
    expect((await rowsWhere(database.db, 'account_usage', { slot: START })).length).toBeGreaterThanOrEqual(
      200,
    );
  });
});

describe('the history', () => {
  test('of an account has averages, peaks and sums, and a gap where nothing was measured', async () => {
    await store(reportOf({ interval_start: START - 1_800 }));
    await store(
      reportOf({ interval_start: START - 300, accounts: [{ ...ofAccount(accountId), disk_mb: null }] }),
    );
    await store(reportOf());
    const points = await getUsageHistory(admin(), { account_id: accountId, range: '24h' });
    expect(points).toHaveLength(96);
    expect(points.at(-1)).toEqual({ at: new Date('2026-11-24T10:00:00Z'), figures: null });
    const figures = {
      cpu_percent: 10,
      memory_mb: 200,
      disk_mb: 50,
      sent_bytes: 2_000,
      requests: 20,
      errors: 2,
    };
    expect(points.at(-2)).toEqual({ at: new Date('2026-11-24T09:45:00Z'), figures });
    expect(points.at(-3)?.figures).toBeNull();
    expect(points.at(-4)?.figures).toMatchObject({ requests: 10 });
    const weeks = await getUsageHistory(admin(), { account_id: accountId, range: '2y' });
    expect(weeks.at(-1)?.figures).toMatchObject({ cpu_percent: 10, requests: 30 });
    expect(weeks.slice(0, -1).every((point) => point.figures === null)).toBe(true);
  });

  test('of a server has shares of its processors and requests a second', async () => {
    await store(reportOf());
    const points = await getServerHistory(admin(), { node_id: nodeId, range: '7d' });
    expect(points.at(-2)?.figures).toEqual({
      cpu_percent: 25,
      memory_mb: 700,
      memory_total_mb: 2_048,
      disk_mb: 5_000,
      disk_total_mb: 100_000,
      load: 1.5,
      sent_bytes: 1_000,
      requests_per_s: 10 / 300,
      errors_per_s: 1 / 300,
      running_accounts: 2,
    });
  });

  test('of a site has the last 30 days', async () => {
    await store(reportOf());
    const days = await getSiteTraffic(admin(), { domain_id: domainId });
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ at: new Date('2026-11-24T00:00:00Z'), figures: traffic });
    expect(days.slice(0, -1).every(({ figures }) => figures === null)).toBe(true);
  });

  test('is one statement, and only for those who see the account; of servers only for admins', async () => {
    const reseller = await addReseller(database.db);
    const own = await addPackage(database.db, { owner: reseller.username });
    const theirs = (await open(reseller, { package_id: own })).accountId;
    const ctx = { ...reseller, now: () => now };
    expect(await getUsageHistory(ctx, { account_id: theirs, range: '24h' })).toHaveLength(96);
    await expectRefusal(getUsageHistory(ctx, { account_id: accountId, range: '24h' }), 'not_found');
    await expectRefusal(getSiteTraffic(ctx, { domain_id: domainId }), 'not_found');
    await expectRefusal(getServerHistory(ctx, { node_id: nodeId, range: '24h' }), 'forbidden');
    const counted = counting(database.db);
    await getUsageHistory({ ...admin(), db: counted.db }, { account_id: accountId, range: '30d' });
    expect(counted.statements()).toBe(1);
  });
});

describe('rows', () => {
  test('are deleted when they are old: samples after a day, hours after a month, days after two years', async () => {
    await store(reportOf());
    const steps = async () => [...new Set((await rowsOf()).map(({ step }) => step))];
    const after = async (days: number) => {
      const at = new Date(now.getTime() + days * 86_400_000);
      expect(await sweepUsage(database.db, { now: at, limit: 1_000 })).toBe(0);
      return steps();
    };
    expect(await after(0.9)).toEqual([5, 60, 1_440]);
    expect(await after(1.1)).toEqual([60, 1_440]);
    expect(await after(30)).toEqual([60, 1_440]);
    expect(await after(32)).toEqual([1_440]);
    expect(await rowsWhere(database.db, 'site_usage', { domain_id: domainId })).toEqual([]);
    expect(await rowsWhere(database.db, 'usage_parts', { node_id: nodeId })).toEqual([]);
    expect(await after(730)).toEqual([1_440]);
    expect(await after(734)).toEqual([]);
    expect(await rowsWhere(database.db, 'server_usage', { node_id: nodeId })).toEqual([]);
  });

  test('of an account and its sites go with the account, and those of a server with the server', async () => {
    const { accountId: gone } = await open(actor(database.db), { package_id: packageId });
    const { node_id } = await rowOf(database.db, gone);
    const site = await insertDomainRecord(database.db, {
      account_id: gone,
      domain_name: `${fresh('site')}.example`,
    });
    const start = Math.floor(Date.now() / 300_000) * 300 - 300;
    const report = reportOf({
      interval_start: start,
      accounts: [ofAccount(gone)],
      sites: [{ domain_id: site, ...traffic }],
    });
    await store(report, new Date(), node_id);
    expect(await rowsOf(gone)).toHaveLength(3);
    await terminateAccount(actor(database.db), { account_id: gone });
    await reportNewest(database.db, gone, { outcome: 'absent' });
    expect(await rowsOf(gone)).toEqual([]);
    expect(await rowsWhere(database.db, 'site_usage', { domain_id: site })).toEqual([]);

    const empty = await addOnlineNode(database.db);
    await store(reportOf({ interval_start: start }), new Date(), empty);
    expect(await rowsWhere(database.db, 'server_usage', { node_id: empty })).toHaveLength(3);
    await removeNode(actor(database.db), { node: empty });
    expect(await rowsWhere(database.db, 'server_usage', { node_id: empty })).toEqual([]);
  });
});

test('a part that was stored at the moment of a removal leaves nothing: the next sweep deletes it', async () => {
  await store(reportOf());
  const { db } = database;
  const [kept, gone] = [accountId, accountId + 1_000_000];
  for (const table of ['account_usage', 'server_usage', 'site_usage'] as const) {
    const key = { account_usage: 'account_id', server_usage: 'node_id', site_usage: 'domain_id' }[table];
    await db.connection().execute(async (one) => {
      await sql`create temporary table copied as select * from ${sql.table(table)}`.execute(one);
      await sql`update copied set ${sql.ref(key)} = ${sql.ref(key)} + 1000000`.execute(one);
      await sql`insert into ${sql.table(table)} select * from copied`.execute(one);
      await sql`drop temporary table copied`.execute(one);
    });
  }
  expect(await rowsOf(gone)).toHaveLength(3);
  const at = new Date(now.getTime() + 3_600_000);
  expect(await sweepUsage(db, { now: at, limit: 1_000 })).toBe(0);
  expect(await rowsOf(gone)).toEqual([]);
  expect(await rowsWhere(db, 'server_usage', { node_id: nodeId + 1_000_000 })).toEqual([]);
  expect(await rowsWhere(db, 'site_usage', { domain_id: domainId + 1_000_000 })).toEqual([]);
  expect(await rowsOf(kept)).toHaveLength(3);
  expect(await rowsWhere(db, 'server_usage', { node_id: nodeId })).toHaveLength(3);
  expect(await rowsWhere(db, 'site_usage', { domain_id: domainId })).toHaveLength(1);
});

test('1,000 accounts need less than 200 MB after two years', async () => {
  // A tenth of the accounts, with every row that can be there: the newest day, month and two years.
  const ACCOUNTS = 100;
  await sql`truncate table account_usage`.execute(database.db);
  for (const [step, rows] of [
    [5, 303],
    [60, 745],
    [1_440, 733],
  ] as const)
    await sql`insert into account_usage (step, slot, account_id, measured_s, cpu_ms, memory_mb, disk_mb, sent_bytes, requests, errors)
      with recursive
        slots (at) as (select 1 union all select at + 1 from slots where at < ${sql.lit(rows)}),
        ids (id) as (select 1 union all select id + 1 from ids where id < ${sql.lit(ACCOUNTS)})
      select ${sql.lit(step)}, at * ${sql.lit(step * 60)}, id, 300, 12345, 200, 5000, 1234567890, 1234, 5
      from slots cross join ids order by at, id`.execute(database.db);
  await sql`analyze table account_usage`.execute(database.db);
  const { rows } = await sql<{ bytes: number; count: number }>`select
      cast(data_length + index_length as unsigned) as bytes, (select count(*) from account_usage) as count
    from information_schema.tables where table_schema = database() and table_name = 'account_usage'`.execute(
    database.db,
  );
  const [{ bytes, count } = { bytes: 0, count: 0 }] = rows;
  console.log(
    `${count} rows, ${bytes} bytes: ${Math.round((bytes / ACCOUNTS) * 1_000)} bytes for 1,000 accounts`,
  );
  expect(count).toBe(178_100);
  expect((bytes / ACCOUNTS) * 1_000).toBeLessThan(200e6);
});
