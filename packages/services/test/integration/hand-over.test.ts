import { recount } from '@innkeeper/db';
import {
  assignPackage,
  authenticateToken,
  changeAccountPackage,
  createPackage,
  createToken,
  deleteReseller,
  getAccount,
  getBulkChange,
  getPackageDetails,
  handOverAccount,
  handOverAccounts,
  listAccounts,
  listAllPackages,
  listPackagesOfReseller,
  listResellers,
  previewHandOver,
  retirePackage,
  runBulkChanges,
  setPool,
  suspendAccount,
  suspendReseller,
  terminateAccount,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, auditOf, auditOfTarget, open, reportNewest, rowOf } from './fixtures.ts';
import { fresh, limits, rowsWhere } from './records.ts';
import { expectRefusal } from './refusals.ts';

const rig = useDatabaseRig();
const { admin } = rig;

async function runAll() {
  const errors: unknown[] = [];
  await runBulkChanges(admin(), { onError: (error) => void errors.push(error) });
  expect(errors).toEqual([]);
}

async function resellerWithAccounts(count: number) {
  const reseller = await addReseller(rig.db);
  const package_id = await addPackage(rig.db, { resellers: [reseller.username] });
  const accounts: number[] = [];
  for (let at = 0; at < count; at += 1) accounts.push((await open(reseller, { package_id })).accountId);
  return { reseller, package_id, accounts };
}

/** A package of the reseller itself. */
async function ownPackage(reseller: Awaited<ReturnType<typeof addReseller>>, name = fresh('Own ')) {
  const { id } = await createPackage(reseller, {
    name,
    disk_mb: 1_000,
    bandwidth_mb: 10_000,
    cpu_percent: 100,
    ram_mb: 512,
    max_domains: 1,
    max_databases: 1,
    max_apps: 1,
    max_cron_jobs: 1,
  });
  return id;
}

const managerOf = async (accountId: number) => (await rowOf(rig.db, accountId)).reseller_user_id;
const countOf = async (username: string) =>
  (await listResellers(admin())).find((one) => one.username === username)?.accounts;
const disk = limits.disk_limit_mb;

describe('an account', () => {
  test('is handed over with its package and limits; only the new reseller sees it, and all counts are right', async () => {
    const { reseller: from, accounts, package_id } = await resellerWithAccounts(2);
    const to = await addReseller(rig.db);
    const [account_id = 0] = accounts;
    const before = await rowOf(rig.db, account_id);
    await handOverAccount(admin(), { account_id, to: to.username });
    expect(await rowOf(rig.db, account_id)).toMatchObject({
      reseller_user_id: to.actor.userId,
      package_id,
      disk_limit_mb: before.disk_limit_mb,
      generation: before.generation + 1,
    });
    await expectRefusal(getAccount(from, { account_id, include: new Set() }), 'not_found');
    expect((await getAccount(to, { account_id, include: new Set() })).id).toBe(account_id);
    expect([await countOf(from.username), await countOf(to.username)]).toEqual([1, 1]);
    expect(await recount(rig.db)).toBe(0);
    expect((await listAccounts(to, { page: 1, per_page: 10 })).total).toBe(1);
    expect(await rig.newestAudit(account_id)).toMatchObject({
      action: 'account.hand-over',
      before: { reseller: from.username },
      after: { reseller: to.username },
    });
    await handOverAccount(admin(), { account_id, to: null });
    expect(await managerOf(account_id)).toBeNull();
    expect(await recount(rig.db)).toBe(0);
    // Again: nothing has to change.
    await handOverAccount(admin(), { account_id, to: null });
    expect(
      (await auditOf(rig.db, account_id)).filter((action) => action === 'account.hand-over'),
    ).toHaveLength(2);
  });

  test('is refused by a pool with too little left, by a suspended reseller and by anybody but admins', async () => {
    const { reseller: from, accounts } = await resellerWithAccounts(1);
    const to = await addReseller(rig.db);
    const [account_id = 0] = accounts;
    const asked = { account_id, to: to.username };
    await setPool(admin(), { reseller: to.username, disk_mb: disk - 1 });
    const sentence = `The pool of ${to.username} is too small: disk space would be ${disk}, the pool has ${disk - 1}.`;
    await expect(handOverAccount(admin(), asked)).rejects.toMatchObject({ fields: { to: [sentence] } });
    expect((await previewHandOver(admin(), asked)).excess).toEqual([
      `disk space would be ${disk}, the pool has ${disk - 1}`,
    ]);
    await setPool(admin(), { reseller: to.username, disk_mb: disk, max_accounts: 0 });
    await expect(handOverAccount(admin(), asked)).rejects.toMatchObject({
      fields: { to: [expect.stringContaining('accounts would be 1, the pool has 0')] },
    });
    await setPool(admin(), { reseller: to.username, max_accounts: 1 });
    await suspendReseller(admin(), { reseller: to.username });
    await expect(handOverAccount(admin(), asked)).rejects.toMatchObject({
      fields: { to: [`${to.username} is suspended. Unsuspend it first.`] },
    });
    await expect(handOverAccount(admin(), { account_id, to: 'nobody' })).rejects.toMatchObject({
      fields: { to: ['There is no such reseller.'] },
    });
    await expectRefusal(handOverAccount(from, asked), 'forbidden');
    await expectRefusal(handOverAccounts(from, { reseller: from.username, to: null }), 'forbidden');
    await expectRefusal(
      deleteReseller(from, { reseller: to.username, packages_to: null, unused_packages: 'keep' }),
      'forbidden',
    );
    expect(await managerOf(account_id)).toBe(from.actor.userId);
    await terminateAccount(admin(), { account_id });
    await expectRefusal(handOverAccount(admin(), { account_id, to: null }), 'precondition_failed');
  });

  test('keeps a package that the new reseller may not sell, unless it is assigned with it', async () => {
    const { reseller: from, accounts, package_id } = await resellerWithAccounts(2);
    const own = await ownPackage(from, 'Theirs');
    const [account_id = 0, other = 0] = accounts;
    await changeAccountPackage(from, { account_id: other, package_id: own });
    const to = await addReseller(rig.db);
    const preview = await previewHandOver(admin(), { reseller: from.username, to: to.username });
    expect(preview).toMatchObject({ accounts: 2, coming_back: 0, excess: [] });
    expect(preview.unsold.map(({ id, accounts, is_assignable }) => [id, accounts, is_assignable])).toEqual(
      expect.arrayContaining([
        [own, 1, false],
        [package_id, 1, true],
      ]),
    );
    await handOverAccount(admin(), { account_id: other, to: to.username, assign_packages: true });
    await handOverAccount(admin(), { account_id, to: to.username });
    expect(await listPackagesOfReseller(to)).toEqual([]);
    expect((await rowOf(rig.db, other)).package_id).toBe(own);
    await handOverAccount(admin(), { account_id, to: null });
    await handOverAccount(admin(), { account_id, to: to.username, assign_packages: true });
    expect((await listPackagesOfReseller(to)).map(({ id }) => id)).toEqual([package_id]);
    expect((await auditOfTarget(rig.db, `package:${package_id}`)).at(-1)).toBe('package.assign');
  });

  test('of 8 that are handed over at once to a pool for 3, exactly 3 fit', async () => {
    const { accounts } = await resellerWithAccounts(8);
    const to = await addReseller(rig.db);
    await setPool(admin(), { reseller: to.username, disk_mb: 3 * disk });
    const outcomes = await Promise.allSettled(
      accounts.map((account_id) => handOverAccount(admin(), { account_id, to: to.username })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await countOf(to.username)).toBe(3);
    expect(await recount(rig.db)).toBe(0);
  });
});

describe('all accounts of a reseller', () => {
  test('are handed over in the background, and those that were suspended with it come back', async () => {
    const { reseller: from, accounts } = await resellerWithAccounts(3);
    const to = await addReseller(rig.db);
    const [alone = 0, first = 0] = accounts;
    await suspendAccount(admin(), { account_id: alone });
    await suspendReseller(admin(), { reseller: from.username });
    await expectRefusal(
      handOverAccounts(admin(), { reseller: from.username, to: to.username }),
      'precondition_failed',
    );
    await expectRefusal(handOverAccount(admin(), { account_id: first, to: null }), 'precondition_failed');
    await runAll();
    expect((await previewHandOver(admin(), { reseller: from.username, to: null })).coming_back).toBe(2);
    const { bulk_change_id, total } = await handOverAccounts(admin(), {
      reseller: from.username,
      to: to.username,
    });
    expect(total).toBe(3);
    await runAll();
    expect(await getBulkChange(admin(), { bulk_change_id })).toMatchObject({ done: 3, refused: 0 });
    const rows = await Promise.all(accounts.map((id) => rowOf(rig.db, id)));
    expect(rows.map(({ state }) => state)).toEqual(['suspended', 'active', 'active']);
    expect(rows.map(({ reseller_user_id }) => reseller_user_id)).toEqual(accounts.map(() => to.actor.userId));
    expect(await auditOfTarget(rig.db, `user:${from.actor.userId}`)).toContain('reseller.hand-over');
  });

  test('are refused before anything changes if the pool cannot contain them all', async () => {
    const { reseller: from, accounts } = await resellerWithAccounts(3);
    const to = await addReseller(rig.db);
    await setPool(admin(), { reseller: to.username, disk_mb: 2 * disk });
    const asked = { reseller: from.username, then_delete: { unused_packages: 'keep' } as const };
    await expect(handOverAccounts(admin(), { ...asked, to: to.username })).rejects.toMatchObject({
      fields: { to: [expect.stringContaining(`disk space would be ${3 * disk}`)] },
    });
    await expect(handOverAccounts(admin(), { ...asked, to: from.username })).rejects.toMatchObject({
      fields: { to: ['Choose another manager for the accounts.'] },
    });
    expect(await managerOf(accounts[0] ?? 0)).toBe(from.actor.userId);
    // Still active: it can create accounts.
    await open(from, { package_id: (await rowOf(rig.db, accounts[0] ?? 0)).package_id });
  });

  test('of which one is refused leave the reseller, suspended, and the change says why', async () => {
    const { reseller: from, accounts } = await resellerWithAccounts(2);
    const to = await addReseller(rig.db);
    const { bulk_change_id } = await handOverAccounts(admin(), {
      reseller: from.username,
      to: to.username,
      then_delete: { unused_packages: 'keep' },
    });
    // The pool shrinks after the change has begun.
    await setPool(admin(), { reseller: to.username, max_accounts: 1 });
    await runAll();
    const change = await getBulkChange(admin(), { bulk_change_id });
    expect(change).toMatchObject({ total: 2, done: 1, refused: 1 });
    expect(change.left_out).toBe(
      `${from.username} has 1 account. Hand it over to another reseller or to yourself, or terminate it.`,
    );
    const kept = (await listResellers(admin())).find(({ username }) => username === from.username);
    expect(kept?.disabled_at).not.toBeNull();
    expect(accounts).toHaveLength(2);
  });

  test('are handed over, and then the reseller is deleted with its token, pool and brand; its packages get an owner', async () => {
    const { reseller: from, accounts, package_id } = await resellerWithAccounts(2);
    const to = await addReseller(rig.db);
    const [used, unused] = [await ownPackage(from, 'Same'), await ownPackage(from)];
    const taken = await ownPackage(to, 'Same');
    await changeAccountPackage(from, { account_id: accounts[0] ?? 0, package_id: used });
    await setPool(admin(), { reseller: from.username, max_accounts: 2 });
    const { plain_token } = await createToken(admin(), {
      user: from.username,
      name: 'billing',
      preset: 'full_access',
    });
    const { token_ids } = await handOverAccounts(admin(), {
      reseller: from.username,
      to: to.username,
      then_delete: { unused_packages: 'delete' },
    });
    expect(token_ids).toHaveLength(1);
    // At once, before any account changed.
    expect(await authenticateToken(rig.db, plain_token)).toBeNull();
    await expectRefusal(open(from, { package_id }), 'unauthenticated');
    await runAll();
    expect((await listResellers(admin())).map(({ username }) => username)).not.toContain(from.username);
    const id = from.actor.userId ?? 0;
    expect(await rowsWhere(rig.db, 'reseller_pools', { reseller_user_id: id })).toEqual([]);
    expect(await rowsWhere(rig.db, 'reseller_packages', { reseller_user_id: id })).toEqual([]);
    expect(await rowsWhere(rig.db, 'usernames', { user_id: id })).toEqual([]);
    expect(
      (await rowsWhere(rig.db, 'api_tokens', { user_id: id })).every((one) => one.revoked_at !== null),
    ).toBe(true);
    expect(await getPackageDetails(admin(), { package_id: used })).toMatchObject({
      owner: to.username,
      slug: `same-${used}`,
      accounts: 1,
    });
    expect((await listAllPackages(admin())).map((one) => one.id)).not.toContain(unused);
    expect(await getPackageDetails(admin(), { package_id: taken })).toMatchObject({ slug: 'same' });
    expect((await auditOfTarget(rig.db, `user:${id}`)).at(-1)).toBe('reseller.delete');
    await expectRefusal(open(from, { package_id }), 'unauthenticated');
    await expectRefusal(createPackage(from, { ...(await packageInput()) }), 'not_found');
    await expectRefusal(assignPackage(admin(), { package_id, reseller: from.username }), 'not_found');
    expect(await recount(rig.db)).toBe(0);
  });
});

async function packageInput() {
  return {
    name: fresh('Late '),
    disk_mb: 1_000,
    bandwidth_mb: 10_000,
    cpu_percent: 100,
    ram_mb: 512,
    max_domains: 1,
    max_databases: 1,
    max_apps: 1,
    max_cron_jobs: 1,
  };
}

describe('a reseller', () => {
  test('with accounts is not deleted: the refusal says how many, and what to do', async () => {
    const { reseller, accounts } = await resellerWithAccounts(2);
    const asked = { reseller: reseller.username, packages_to: null, unused_packages: 'keep' } as const;
    const refused = (sentence: string) =>
      expect(deleteReseller(admin(), asked)).rejects.toMatchObject({
        code: 'precondition_failed',
        message: expect.stringContaining(sentence),
      });
    await refused('has 2 accounts. Hand them over to another reseller or to yourself');
    const [first = 0, last = 0] = accounts;
    await handOverAccount(admin(), { account_id: first, to: null });
    await refused('has 1 account. Hand it over');
    await terminateAccount(admin(), { account_id: last });
    await refused('no account left but 1 that is being terminated. Wait until the server has removed it.');
    await reportNewest(rig.db, last, { outcome: 'absent' });
    await deleteReseller(admin(), asked);
    await expectRefusal(deleteReseller(admin(), asked), 'not_found');
    // Its name is free again.
    expect(await rowsWhere(rig.db, 'usernames', { username: reseller.username })).toEqual([]);
  });

  test('that is deleted leaves its packages to the operator, who sells them', async () => {
    const reseller = await addReseller(rig.db);
    const own = await ownPackage(reseller);
    await deleteReseller(admin(), {
      reseller: reseller.username,
      packages_to: null,
      unused_packages: 'keep',
    });
    expect(await getPackageDetails(admin(), { package_id: own })).toMatchObject({
      owner: null,
      is_active: true,
    });
  });

  test('sees its own retired packages, and no retired one of the operator', async () => {
    const { reseller, package_id } = await resellerWithAccounts(0);
    const own = await ownPackage(reseller);
    await retirePackage(reseller, { package_id: own, is_active: false });
    await retirePackage(admin(), { package_id, is_active: false });
    const shown = await listPackagesOfReseller(reseller);
    expect(shown.map(({ id, is_active }) => [id, is_active])).toEqual([[own, false]]);
    expect(await listPackagesOfReseller(await addReseller(rig.db))).toEqual([]);
  });
});
