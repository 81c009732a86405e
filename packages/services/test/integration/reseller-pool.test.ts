import { changeAccountPackage, setAccountResources, setPool, terminateAccount } from '@innkeeper/services';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, addReseller, open, reportNewest } from './fixtures.ts';
import { contextOf, limits, ownDatabase, rowsWhere } from './records.ts';
import { expectRace, expectRefusal, invalid, limitReached, refusalOf } from './refusals.ts';

const database = ownDatabase();
let reseller: Awaited<ReturnType<typeof addReseller>>;
let own: number;

beforeAll(async () => {
  await addOnlineNode(database.db);
});
beforeEach(async () => {
  reseller = await addReseller(database.db);
  own = await addPackage(database.db, { owner: reseller.username, io_write_mbps: 10, iops: 100 });
});

const pool = (sizes: Omit<Parameters<typeof setPool>[1], 'reseller'>) =>
  setPool(contextOf(database.db), { reseller: reseller.username, ...sizes });
const accountRows = () => rowsWhere(database.db, 'accounts', { reseller_user_id: reseller.actor.userId });
const countAccounts = async () => (await accountRows()).length;

test('32 concurrent creates use every unit of a pool and not one more', async () => {
  await pool({ iops: 500 });
  await expectRace(
    {
      calls: 32,
      winners: 5,
      refusal: invalid({ iops: 'The iops field exceeds what is left of the reseller pool (0).' }),
    },
    () => open(reseller, { package_id: own }),
  );
  expect(await countAccounts()).toBe(5);
});

test('32 concurrent creates make as many accounts as the reseller may have', async () => {
  await pool({ max_accounts: 3 });
  await expectRace({ calls: 32, winners: 3, refusal: limitReached('Account', 3) }, () =>
    open(reseller, { package_id: own }),
  );
});

test('concurrent creates and raised limits stay within the pool', async () => {
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
  const rows = await accountRows();
  const allocated = rows.reduce((sum, row) => sum + row.disk_limit_mb, 0);
  expect(allocated).toBeLessThanOrEqual(limits.disk_limit_mb * 4);
  expect(allocated).toBeGreaterThan(limits.disk_limit_mb * 2);
});

test('of 32 concurrent raises, by limits and by package, one account gets the last unit', async () => {
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
  const rows = await accountRows();
  expect(rows.map(({ iops }) => iops).toSorted()).toEqual([100, 100, 100, 100, 100, 100, 100, 200]);
});

test('overselling applies to disk, bandwidth, CPU and RAM, not to IO, IOPS and processes', async () => {
  await pool({ overselling: true, disk_mb: 1, bandwidth_mb: 1, cpu_percent: 1, ram_mb: 1 });
  await open(reseller, { package_id: own });
  await pool({ overselling: true, io_write_mbps: 10 });
  await expectRefusal(
    open(reseller, { package_id: own }),
    invalid({ io_write_mbps: expect.stringContaining('reseller pool (0)') }),
  );
});

test('an unlimited value cannot be taken from a set pool, by a create or a change', async () => {
  await pool({ io_write_mbps: 100, io_read_mbps: 100 });
  await expectRefusal(
    open(reseller, { package_id: own }),
    invalid({ io_read_mbps: 'The io read mbps field cannot be unlimited: the reseller pool holds 100.' }),
  );
  const { accountId: account_id } = await open(reseller, { package_id: own, io_read_mbps: 5 });
  const change = { account_id, ...limits, terminal_access: false };
  await expectRefusal(
    setAccountResources(reseller, { ...change, io_write_mbps: null, io_read_mbps: 5 }),
    invalid({ io_write_mbps: 'The io write mbps field cannot be unlimited: the reseller pool holds 100.' }),
  );
});

test('a package that needs more than is left is refused with a message and no field', async () => {
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

test('an admin may exceed the pool, and the excess counts for the reseller', async () => {
  await pool({ iops: 200 });
  const { accountId: account_id } = await open(reseller, { package_id: own });
  await setAccountResources(actor(database.db), {
    account_id,
    ...limits,
    iops: 5_000,
    terminal_access: false,
  });
  await expectRefusal(open(reseller, { package_id: own }), invalid({ iops: expect.any(String) }));
  const lowered = { account_id, ...limits, iops: 4_000, terminal_access: false };
  expect((await setAccountResources(reseller, lowered)).view.iops).toBe(4_000);
});

test('the share of an account is free when it is gone, not before', async () => {
  await pool({ max_accounts: 1 });
  const { accountId: account_id } = await open(reseller, { package_id: own });
  await terminateAccount(reseller, { account_id });
  await expectRefusal(open(reseller, { package_id: own }), 'quota_exceeded');
  await reportNewest(database.db, account_id, { outcome: 'absent' });
  await open(reseller, { package_id: own });
  expect(await countAccounts()).toBe(1);
});
