import { packageLimitsOf } from '@innkeeper/domain';
import {
  changePackage,
  createDomain,
  deletePackage,
  getBulkChange,
  getPackage,
  type OperatorContext,
  previewPackageChange,
  replacePackage,
  retirePackage,
  runBulkChanges,
  setAccountResources,
  setPool,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, auditOf, auditOfTarget, open, ownLimits, rowOf } from './fixtures.ts';
import { fresh, limits } from './records.ts';
import { expectRefusal } from './refusals.ts';

const rig = useDatabaseRig();
const { admin } = rig;
const sizes = packageLimitsOf(limits);

function change(
  package_id: number,
  values: Partial<Parameters<typeof changePackage>[1]>,
  ctx: OperatorContext = admin(),
) {
  const name = fresh('Changed ');
  return changePackage(ctx, { package_id, name, ...sizes, accounts: 'follow', ...values });
}

async function runAll() {
  const errors: unknown[] = [];
  await runBulkChanges(admin(), { onError: (error) => void errors.push(error) });
  expect(errors).toEqual([]);
}

describe('a changed package', () => {
  test('reaches its accounts, each in its next generation with an audit row; own limits stay', async () => {
    const package_id = await addPackage(rig.db);
    const follower = await open(admin(), { package_id });
    const special = await open(admin(), { package_id, ram_limit_mb: 4_321 });
    const elsewhere = await rig.newAccount();
    const input = {
      ...sizes,
      ram_mb: 777,
      iops: 5_000,
      name: 'Better',
      accounts: 'follow' as const,
      package_id,
    };
    expect(await previewPackageChange(admin(), input)).toEqual({
      accounts: 2,
      limits: [
        { limit: 'ram_limit_mb', from: limits.ram_limit_mb, to: 777, accounts: 1 },
        { limit: 'iops', from: limits.iops, to: 5_000, accounts: 2 },
      ],
      terminal_access: null,
    });
    const { bulk_change_id } = await changePackage(admin(), input);
    expect(await getPackage(admin(), { package_id })).toMatchObject({ name: 'Better', ram_mb: 777 });
    expect(await rowOf(rig.db, follower.accountId)).toMatchObject({ generation: 1 });
    await runAll();
    expect(await rowOf(rig.db, follower.accountId)).toMatchObject({
      generation: 2,
      ram_limit_mb: 777,
      iops: 5_000,
    });
    expect(await rowOf(rig.db, special.accountId)).toMatchObject({
      generation: 2,
      ram_limit_mb: 4_321,
      iops: 5_000,
    });
    expect(await rowOf(rig.db, elsewhere)).toMatchObject({
      generation: 1,
      ram_limit_mb: limits.ram_limit_mb,
    });
    expect(await auditOf(rig.db, follower.accountId)).toEqual(['account.create', 'account.follow-package']);
    expect(await auditOfTarget(rig.db, `package:${package_id}`)).toEqual([
      'package.create',
      'package.change',
    ]);
    expect(await getBulkChange(admin(), { bulk_change_id: bulk_change_id ?? 0 })).toMatchObject({
      total: 2,
      done: 2,
      refused: 0,
      finished_at: expect.any(Date),
    });
  });

  test('leaves its accounts alone if they keep their limits, and new ones get the new limits', async () => {
    const package_id = await addPackage(rig.db);
    const { accountId } = await open(admin(), { package_id });
    expect(await change(package_id, { ram_mb: 900, accounts: 'keep' })).toMatchObject({
      bulk_change_id: null,
    });
    await runAll();
    expect(await rowOf(rig.db, accountId)).toMatchObject({
      generation: 1,
      ram_limit_mb: limits.ram_limit_mb,
    });
    const later = await open(admin(), { package_id });
    expect(await rowOf(rig.db, later.accountId)).toMatchObject({ ram_limit_mb: 900 });
  });

  test('skips an account that uses more than a new limit, and says why', async () => {
    const package_id = await addPackage(rig.db, { max_domains: 5 });
    const { accountId } = await open(admin(), { package_id });
    for (const at of [1, 2])
      await createDomain(admin(), {
        hosting_account_id: accountId,
        domain_name: `${fresh('d')}-${at}.example`,
      });
    const { generation } = await rowOf(rig.db, accountId);
    const { bulk_change_id } = await change(package_id, { max_domains: 1, ram_mb: 800 });
    await runAll();
    expect(await rowOf(rig.db, accountId)).toMatchObject({ generation, max_domains: 5 });
    expect(await getBulkChange(admin(), { bulk_change_id: bulk_change_id ?? 0 })).toMatchObject({
      done: 0,
      refused: 1,
      refusals: [{ account_id: accountId, message: 'It exceeds the new limits: 2 domains (at most 1).' }],
    });
  });

  test('that exceeds a pool is refused with the reseller and the numbers, and changes nothing', async () => {
    const reseller = await addReseller(rig.db);
    const package_id = await addPackage(rig.db, { resellers: [reseller.username] });
    await open(reseller, { package_id });
    await open(reseller, { package_id });
    await setPool(admin(), {
      reseller: reseller.username,
      ram_mb: 2 * limits.ram_limit_mb + 50,
      overselling: false,
    });
    const refused = change(package_id, { ram_mb: limits.ram_limit_mb + 100 });
    await expect(refused).rejects.toMatchObject({
      fields: {
        accounts: [
          `Reseller ${reseller.username}: memory would be ${2 * limits.ram_limit_mb + 200}, the pool has ${2 * limits.ram_limit_mb + 50}.`,
        ],
      },
    });
    expect(await getPackage(admin(), { package_id })).toMatchObject({ ram_mb: limits.ram_limit_mb });
    await change(package_id, { ram_mb: limits.ram_limit_mb + 20 });
    await runAll();
  });

  test('does not take a second change while accounts still get the first', async () => {
    const package_id = await addPackage(rig.db);
    await open(admin(), { package_id });
    await change(package_id, { ram_mb: 1_000 });
    await expectRefusal(change(package_id, { ram_mb: 1_100 }), 'precondition_failed');
    await runAll();
    await change(package_id, { ram_mb: 1_100 });
    await runAll();
  });

  test('is applied once by eight instances at the same time', async () => {
    const package_id = await addPackage(rig.db);
    const accounts = await Promise.all(Array.from({ length: 12 }, () => open(admin(), { package_id })));
    await change(package_id, { ram_mb: 1_234 });
    await Promise.all(Array.from({ length: 8 }, runAll));
    for (const { accountId } of accounts)
      expect(await rowOf(rig.db, accountId)).toMatchObject({ generation: 2, ram_limit_mb: 1_234 });
  });

  test('goes on where an instance ended', async () => {
    const package_id = await addPackage(rig.db);
    const accounts = await Promise.all(Array.from({ length: 6 }, () => open(admin(), { package_id })));
    const { bulk_change_id } = await change(package_id, { ram_mb: 1_300 });
    const id = bulk_change_id ?? 0;
    // An instance that took the change, changed one account and ended: its lease is over.
    await rig.db
      .updateTable('bulk_change_accounts')
      .set({ state: 'done' })
      .where('bulk_change_id', '=', id)
      .where('account_id', '=', accounts[0]?.accountId ?? 0)
      .execute();
    await rig.db
      .updateTable('bulk_changes')
      .set({ leased_until: new Date(Date.now() - 3_600_000) })
      .where('id', '=', id)
      .execute();
    await runAll();
    expect(await getBulkChange(admin(), { bulk_change_id: id })).toMatchObject({ done: 6, refused: 0 });
    expect(await rowOf(rig.db, accounts[5]?.accountId ?? 0)).toMatchObject({ ram_limit_mb: 1_300 });
  });

  test('of a reseller is its own; those of others are hidden from it', async () => {
    const [reseller, other] = [await addReseller(rig.db), await addReseller(rig.db)];
    const own = await addPackage(rig.db, { owner: reseller.username });
    const { accountId } = await open(reseller, { package_id: own });
    await change(own, { ram_mb: 640 }, reseller);
    await runAll();
    expect(await rowOf(rig.db, accountId)).toMatchObject({ ram_limit_mb: 640 });
    for (const ctx of [other]) {
      await expectRefusal(change(own, { ram_mb: 650 }, ctx), 'not_found');
      await expectRefusal(retirePackage(ctx, { package_id: own, is_active: false }), 'not_found');
      await expectRefusal(deletePackage(ctx, { package_id: own }), 'not_found');
    }
    await expectRefusal(change(rig.packageId, { ram_mb: 650 }, reseller), 'not_found');
    const support = { ...admin(), actor: { ...admin().actor, role: 'support' as const } };
    await expectRefusal(change(own, { ram_mb: 650 }, support), 'forbidden');
  });
});

describe('a retired package', () => {
  test('is refused for new accounts at the field, kept by those that have it, and can be offered again', async () => {
    const package_id = await addPackage(rig.db);
    const { accountId } = await open(admin(), { package_id });
    await retirePackage(admin(), { package_id, is_active: false });
    await expect(open(admin(), { package_id })).rejects.toMatchObject({
      fields: { package_id: ['The selected package id is invalid.'] },
    });
    expect(await rowOf(rig.db, accountId)).toMatchObject({ package_id, generation: 1 });
    await retirePackage(admin(), { package_id, is_active: true });
    await retirePackage(admin(), { package_id, is_active: true });
    await open(admin(), { package_id });
    expect(await auditOfTarget(rig.db, `package:${package_id}`)).toEqual([
      'package.create',
      'package.retire',
      'package.offer',
    ]);
  });
});

describe('a deleted package', () => {
  test('has no account', async () => {
    const package_id = await addPackage(rig.db);
    const { accountId } = await open(admin(), { package_id });
    await expect(deletePackage(admin(), { package_id })).rejects.toThrow('1 account has this package.');
    const { package_id: _, ...own } = ownLimits;
    await setAccountResources(admin(), { account_id: accountId, ...own, terminal_access: false });
    await expectRefusal(replacePackage(admin(), { package_id, to_package_id: package_id }), 'invalid');
    await replacePackage(admin(), { package_id, to_package_id: rig.packageId });
    await runAll();
    expect(await rowOf(rig.db, accountId)).toMatchObject({ package_id: rig.packageId });
    await expectRefusal(getPackage(admin(), { package_id }), 'not_found');
    expect((await auditOfTarget(rig.db, `package:${package_id}`)).slice(1)).toEqual([
      'package.replace',
      'package.delete',
    ]);
  });

  test('stays, retired, if an account does not fit into the other package', async () => {
    const package_id = await addPackage(rig.db, { max_domains: 5 });
    const small = await addPackage(rig.db, { max_domains: 1 });
    const { accountId } = await open(admin(), { package_id });
    for (const at of [1, 2])
      await createDomain(admin(), {
        hosting_account_id: accountId,
        domain_name: `${fresh('d')}-${at}.example`,
      });
    const { bulk_change_id } = await replacePackage(admin(), { package_id, to_package_id: small });
    await runAll();
    expect(await getPackage(admin(), { package_id })).toMatchObject({ is_active: false });
    expect(await getBulkChange(admin(), { bulk_change_id })).toMatchObject({ refused: 1 });
  });
});
