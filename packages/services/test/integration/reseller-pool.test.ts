import { changeAccountPackage, setAccountResources, setPool, terminateAccount } from '@innkeeper/services';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, addReseller, open, reportNewest } from './fixtures.ts';
import { contextOf, limits, refusalOf } from './records.ts';

let database: TestDatabase;
let reseller: Awaited<ReturnType<typeof addReseller>>;
let own: number;

beforeAll(async () => {
  database = await createTestDatabase();
  await addOnlineNode(database.db);
});
beforeEach(async () => {
  reseller = await addReseller(database.db);
  own = await addPackage(database.db, { owner: reseller.username, io_write_mbps: 10, iops: 100 });
});
afterAll(() => database.drop());

const pool = (sizes: Omit<Parameters<typeof setPool>[1], 'reseller'>) =>
  setPool(contextOf(database.db), { reseller: reseller.username, ...sizes });
const countAccounts = async () =>
  (
    await database.db
      .selectFrom('accounts')
      .select('id')
      .where('reseller_user_id', '=', reseller.actor.userId)
      .execute()
  ).length;

test('32 creates at once take every unit of a pool and not one more', async () => {
  await pool({ iops: 500 });
  const results = await Promise.allSettled(
    Array.from({ length: 32 }, () => open(reseller, { package_id: own })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({
        code: 'invalid',
        fields: { iops: ['The iops field exceeds what is left of the reseller pool (0).'] },
      });
  expect(await countAccounts()).toBe(5);
});

test('32 creates at once make as many accounts as the reseller may have', async () => {
  await pool({ max_accounts: 3 });
  const results = await Promise.allSettled(
    Array.from({ length: 32 }, () => open(reseller, { package_id: own })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: 'quota_exceeded', message: 'Account limit reached (3).' });
});

test('creates and raises at once stay within the pool together', async () => {
  await pool({ overselling: false, disk_mb: limits.disk_limit_mb * 4 });
  const { accountId: account_id } = await open(reseller, { package_id: own });
  const raise = {
    account_id,
    ...limits,
    disk_limit_mb: limits.disk_limit_mb * 3,
    terminal_access: false,
  };
  await Promise.allSettled([
    ...Array.from({ length: 8 }, () => open(reseller, { package_id: own })),
    ...Array.from({ length: 8 }, () => setAccountResources(reseller, raise)),
  ]);
  const rows = await database.db
    .selectFrom('accounts')
    .select('disk_limit_mb')
    .where('reseller_user_id', '=', reseller.actor.userId)
    .execute();
  const allocated = rows.reduce((sum, row) => sum + row.disk_limit_mb, 0);
  expect(allocated).toBeLessThanOrEqual(limits.disk_limit_mb * 4);
  expect(allocated).toBeGreaterThan(limits.disk_limit_mb * 2);
});

test('of 32 raises at once, by limits and by package, the last unit goes to one account', async () => {
  const bigger = await addPackage(database.db, { owner: reseller.username, io_write_mbps: 10, iops: 200 });
  const accounts = await Promise.all(Array.from({ length: 8 }, () => open(reseller, { package_id: own })));
  await pool({ iops: 900 });
  const raised = { ...limits, io_write_mbps: 10, iops: 200, terminal_access: false };
  const raises = accounts.flatMap(({ accountId: account_id }) => [
    () => setAccountResources(reseller, { account_id, ...raised }),
    () => changeAccountPackage(reseller, { account_id, package_id: bigger }),
    () => setAccountResources(reseller, { account_id, ...raised }),
    () => changeAccountPackage(reseller, { account_id, package_id: bigger }),
  ]);
  const results = await Promise.allSettled(raises.map((raise) => raise()));
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'invalid' });
  const rows = await database.db
    .selectFrom('accounts')
    .select('iops')
    .where('reseller_user_id', '=', reseller.actor.userId)
    .execute();
  expect(rows.map(({ iops }) => iops).toSorted()).toEqual([100, 100, 100, 100, 100, 100, 100, 200]);
});

test('overselling frees disk, bandwidth, CPU and RAM, never IO, IOPS and processes', async () => {
  await pool({ overselling: true, disk_mb: 1, bandwidth_mb: 1, cpu_percent: 1, ram_mb: 1 });
  await open(reseller, { package_id: own });
  await pool({ overselling: true, io_write_mbps: 10 });
  expect(await refusalOf(open(reseller, { package_id: own }))).toMatchObject({
    fields: { io_write_mbps: [expect.stringContaining('reseller pool (0)')] },
  });
});

test('unlimited cannot be taken from a pool that is set, in a create and in a change', async () => {
  await pool({ io_write_mbps: 100, io_read_mbps: 100 });
  expect(await refusalOf(open(reseller, { package_id: own }))).toMatchObject({
    fields: { io_read_mbps: ['The io read mbps field cannot be unlimited: the reseller pool holds 100.'] },
  });
  const { accountId: account_id } = await open(reseller, { package_id: own, io_read_mbps: 5 });
  const change = { account_id, ...limits, terminal_access: false };
  expect(
    await refusalOf(setAccountResources(reseller, { ...change, io_write_mbps: null, io_read_mbps: 5 })),
  ).toMatchObject({
    fields: { io_write_mbps: ['The io write mbps field cannot be unlimited: the reseller pool holds 100.'] },
  });
});

test('a package that takes more than is left is refused with a message and no field', async () => {
  await pool({ iops: 150 });
  const { accountId: account_id } = await open(reseller, { package_id: own });
  const bigger = await addPackage(database.db, { owner: reseller.username, iops: 151 });
  const refusal = await refusalOf(changeAccountPackage(reseller, { account_id, package_id: bigger }));
  expect(refusal).toMatchObject({
    code: 'invalid',
    message: 'The iops field exceeds what is left of the reseller pool (150).',
    fields: undefined,
  });
  const fitting = await addPackage(database.db, { owner: reseller.username, iops: 150 });
  expect((await changeAccountPackage(reseller, { account_id, package_id: fitting })).view.iops).toBe(150);
});

test('an admin is not held by the pool, and what it gives counts for the reseller', async () => {
  await pool({ iops: 200 });
  const { accountId: account_id } = await open(reseller, { package_id: own });
  await setAccountResources(actor(database.db), {
    account_id,
    ...limits,
    iops: 5_000,
    terminal_access: false,
  });
  expect(await refusalOf(open(reseller, { package_id: own }))).toMatchObject({
    fields: { iops: [expect.any(String)] },
  });
  const lowered = { account_id, ...limits, iops: 4_000, terminal_access: false };
  expect((await setAccountResources(reseller, lowered)).view.iops).toBe(4_000);
});

test('what an account took is free once it is gone, not before', async () => {
  await pool({ max_accounts: 1 });
  const { accountId: account_id } = await open(reseller, { package_id: own });
  await terminateAccount(reseller, { account_id });
  expect(await refusalOf(open(reseller, { package_id: own }))).toMatchObject({ code: 'quota_exceeded' });
  await reportNewest(database.db, account_id, { outcome: 'absent' });
  await open(reseller, { package_id: own });
  expect(await countAccounts()).toBe(1);
});
