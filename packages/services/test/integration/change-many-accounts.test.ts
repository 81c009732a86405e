import {
  changeManyAccounts,
  countAccounts,
  getBulkChange,
  getSuspensionReason,
  runBulkChanges,
  suspendAccount,
  unsuspendAccount,
} from '@innkeeper/services';
import { expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, auditOf, auditOfTarget, open, rowOf } from './fixtures.ts';
import { expectRefusal, invalid } from './refusals.ts';

const rig = useDatabaseRig();
const { admin } = rig;

async function runAll() {
  const errors: unknown[] = [];
  await runBulkChanges(admin(), { onError: (error) => void errors.push(error) });
  expect(errors).toEqual([]);
}

const stateOf = async (accountId: number) => (await rowOf(rig.db, accountId)).state;
const statesOf = (accounts: readonly number[]) => Promise.all(accounts.map(stateOf));

async function accountsOf(count: number) {
  const package_id = await addPackage(rig.db);
  const ids: number[] = [];
  for (let at = 0; at < count; at += 1) ids.push((await open(admin(), { package_id })).accountId);
  return { package_id, ids };
}

test('selected accounts are suspended with a reason, which goes with the suspension', async () => {
  const { ids } = await accountsOf(3);
  const [first = 0, before = 0, other = 0] = ids;
  await suspendAccount(admin(), { account_id: before, reason: ' Spam ' });
  const { bulk_change_id, total } = await changeManyAccounts(admin(), {
    change: { action: 'suspend', reason: 'Unpaid invoice' },
    accounts: { ids: [first, before] },
  });
  expect(total).toBe(2);
  await runAll();
  expect(await statesOf(ids)).toEqual(['suspended', 'suspended', 'active']);
  expect(await getSuspensionReason(admin(), { account_id: first })).toBe('Unpaid invoice');
  expect(await getSuspensionReason(admin(), { account_id: before })).toBe('Spam');
  expect(await getSuspensionReason(admin(), { account_id: other })).toBe(null);
  expect(await auditOf(rig.db, first)).toEqual(['account.create', 'account.suspend']);
  expect(await auditOfTarget(rig.db, `bulk-change:${bulk_change_id}`)).toEqual(['account.suspend-many']);
  expect(await getBulkChange(admin(), { bulk_change_id })).toMatchObject({ total: 2, done: 2, refused: 0 });
  await changeManyAccounts(admin(), { change: { action: 'unsuspend' }, accounts: { ids } });
  await runAll();
  expect(await statesOf(ids)).toEqual(['active', 'active', 'active']);
  expect(await getSuspensionReason(admin(), { account_id: first })).toBe(null);
  await suspendAccount(admin(), { account_id: first });
  expect(await getSuspensionReason(admin(), { account_id: first })).toBe(null);
  await unsuspendAccount(admin(), { account_id: first });
});

test('all accounts that match a filter change, and only these', async () => {
  const { package_id, ids } = await accountsOf(3);
  const [suspended = 0] = ids;
  await suspendAccount(admin(), { account_id: suspended });
  const others = await accountsOf(1);
  expect(await countAccounts(admin(), { package_id })).toBe(3);
  expect(await countAccounts(admin(), { package_id, state: 'active' })).toBe(2);
  const target = await addPackage(rig.db);
  await changeManyAccounts(admin(), {
    change: { action: 'change-package', package_id: target },
    accounts: { package_id, state: 'active' },
  });
  await runAll();
  const packages = await Promise.all(ids.map(async (id) => (await rowOf(rig.db, id)).package_id));
  expect(packages).toEqual([package_id, target, target]);
  expect((await rowOf(rig.db, others.ids[0] ?? 0)).package_id).toBe(others.package_id);
});

test('a reseller changes its own accounts only, also if it names others', async () => {
  const reseller = await addReseller(rig.db);
  const package_id = await addPackage(rig.db, { resellers: [reseller.username] });
  const { accountId: own } = await open(reseller, { package_id });
  const foreign = await rig.newAccount();
  const { total } = await changeManyAccounts(reseller, {
    change: { action: 'suspend', reason: null },
    accounts: { ids: [own, foreign] },
  });
  expect(total).toBe(1);
  await runAll();
  expect(await statesOf([own, foreign])).toEqual(['suspended', 'active']);
  await changeManyAccounts(reseller, { change: { action: 'unsuspend' }, accounts: {} });
  await runAll();
  expect(await statesOf([own, foreign])).toEqual(['active', 'active']);
  expect(await countAccounts(reseller, {})).toBe(1);
  expect(await countAccounts(reseller, { node_id: 1 })).toBe(0);
  expect(await getSuspensionReason(reseller, { account_id: foreign })).toBe(null);
});

test('refuses no accounts, an unknown package and a long reason, each at its field, and stores nothing', async () => {
  const account = await rig.newAccount();
  const accounts = { ids: [account] };
  const changes = async () => (await rig.db.selectFrom('bulk_changes').select('id').execute()).length;
  const before = await changes();
  const suspend = { action: 'suspend', reason: null } as const;
  await expectRefusal(
    changeManyAccounts(admin(), { change: suspend, accounts: { ids: [] } }),
    invalid({ accounts: 'Select at least one account.' }),
  );
  await expectRefusal(
    changeManyAccounts(admin(), { change: { action: 'change-package', package_id: 424_242 }, accounts }),
    invalid({ package_id: expect.anything() }),
  );
  await expectRefusal(
    changeManyAccounts(admin(), { change: { action: 'suspend', reason: 'x'.repeat(256) }, accounts }),
    invalid({ reason: expect.anything() }),
  );
  const reseller = await addReseller(rig.db);
  const foreign = changeManyAccounts(reseller, { change: suspend, accounts });
  await expectRefusal(foreign, invalid({ accounts: 'Select at least one account.' }));
  expect(await changes()).toBe(before);
});

test('support suspends, but does not change packages; read only changes nothing', async () => {
  const account = await rig.newAccount();
  const accounts = { ids: [account] };
  const as = (role: 'support' | 'read_only') => ({ ...admin(), actor: { ...admin().actor, role } });
  const suspend = { action: 'suspend', reason: null } as const;
  const change = { action: 'change-package', package_id: 1 } as const;
  await expectRefusal(changeManyAccounts(as('support'), { change, accounts }), 'forbidden');
  await expectRefusal(changeManyAccounts(as('read_only'), { change: suspend, accounts }), 'forbidden');
  expect(await changeManyAccounts(as('support'), { change: suspend, accounts })).toMatchObject({ total: 1 });
  await runAll();
  expect(await stateOf(account)).toBe('suspended');
});
