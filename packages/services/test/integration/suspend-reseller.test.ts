import {
  authenticateToken,
  createToken,
  getBulkChange,
  runBulkChanges,
  setAccountPerson,
  setResellerPassword,
  setResellerPerson,
  signIn,
  suspendAccount,
  suspendReseller,
  unsuspendAccount,
  unsuspendReseller,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, auditOf, auditOfTarget, open, rowOf } from './fixtures.ts';
import { visitor } from './panel-users.ts';
import { fresh } from './records.ts';
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

const stateOf = async (accountId: number) => (await rowOf(rig.db, accountId)).state;
const statesOf = (accounts: readonly number[]) => Promise.all(accounts.map(stateOf));

describe('a suspended reseller', () => {
  test('takes its active accounts along, and exactly these come back', async () => {
    const { reseller, accounts } = await resellerWithAccounts(4);
    const [first = 0, before = 0, alone = 0, back = 0] = accounts;
    const others = await rig.newAccount();
    await suspendAccount(admin(), { account_id: before });
    const asked = { reseller: reseller.username };
    const { bulk_change_id } = await suspendReseller(admin(), asked);
    await runAll();
    expect(await statesOf(accounts)).toEqual(['suspended', 'suspended', 'suspended', 'suspended']);
    expect(await stateOf(others)).toBe('active');
    expect(await getBulkChange(admin(), { bulk_change_id: bulk_change_id ?? 0 })).toMatchObject({
      total: 3,
      done: 3,
    });
    // One is suspended on its own meanwhile; another one comes back, and is suspended again.
    await suspendAccount(admin(), { account_id: alone });
    await unsuspendAccount(admin(), { account_id: back });
    await suspendAccount(admin(), { account_id: back });
    expect(await suspendReseller(admin(), asked)).toMatchObject({ bulk_change_id: null });
    await unsuspendReseller(admin(), asked);
    await runAll();
    expect(await statesOf([first, before, alone, back])).toEqual([
      'active',
      'suspended',
      'suspended',
      'suspended',
    ]);
    expect(await auditOf(rig.db, first)).toEqual(['account.create', 'account.suspend', 'account.unsuspend']);
    expect((await auditOfTarget(rig.db, `user:${reseller.actor.userId}`)).slice(-2)).toEqual([
      'reseller.suspend',
      'reseller.unsuspend',
    ]);
  });

  test('cannot sign in, use a token or create an account, until it is unsuspended', async () => {
    const { reseller, package_id } = await resellerWithAccounts(1);
    const { plain_token } = await createToken(admin(), {
      user: reseller.username,
      name: 'billing',
      preset: 'full_access',
    });
    const enter = () => signIn(visitor(rig.db), { username: reseller.username, password: 'correct horse' });
    expect(await authenticateToken(rig.db, plain_token)).not.toBeNull();
    await suspendReseller(admin(), { reseller: reseller.username });
    expect(await authenticateToken(rig.db, plain_token)).toBeNull();
    await expect(enter()).rejects.toThrow();
    await expectRefusal(open(reseller, { package_id }), 'unauthenticated');
    await runAll();
    await unsuspendReseller(admin(), { reseller: reseller.username });
    expect(await authenticateToken(rig.db, plain_token)).not.toBeNull();
    await enter();
    await open(reseller, { package_id });
    await runAll();
  });

  test('is suspended by admins only', async () => {
    const { reseller } = await resellerWithAccounts(0);
    const asked = { reseller: reseller.username };
    await expectRefusal(suspendReseller(reseller, asked), 'forbidden');
    await expectRefusal(unsuspendReseller(reseller, asked), 'forbidden');
    await expectRefusal(setResellerPassword(reseller, { ...asked, password: 'correct horse' }), 'forbidden');
    await expectRefusal(suspendReseller(admin(), { reseller: 'nobody' }), 'not_found');
  });
});

describe('the person', () => {
  test('of a reseller gets another name, address and password', async () => {
    const { reseller } = await resellerWithAccounts(0);
    const other = await addReseller(rig.db);
    const email = `${fresh('new')}@resellers.example`;
    await setResellerPerson(admin(), { reseller: reseller.username, name: 'New Name', email });
    await expect(
      setResellerPerson(admin(), { reseller: reseller.username, name: 'New', email: other.email }),
    ).rejects.toMatchObject({ fields: { email: ['The email has already been taken.'] } });
    await setResellerPassword(admin(), { reseller: reseller.username, password: 'another horse' });
    await signIn(visitor(rig.db), { username: reseller.username, password: 'another horse' });
  });

  test('of an account changes within the scope, without a new generation; staff addresses are refused', async () => {
    const { reseller, accounts } = await resellerWithAccounts(1);
    const other = await addReseller(rig.db);
    const [account_id = 0] = accounts;
    const email = `${fresh('person')}@example.com`;
    await setAccountPerson(reseller, { account_id, name: 'Another Person', email });
    expect(await rowOf(rig.db, account_id)).toMatchObject({ name: 'Another Person', email, generation: 1 });
    await expectRefusal(setAccountPerson(other, { account_id, name: 'X', email }), 'not_found');
    await expect(
      setAccountPerson(admin(), { account_id, name: 'X', email: other.email }),
    ).rejects.toMatchObject({ fields: { email: ['The email has already been taken.'] } });
    expect(await auditOf(rig.db, account_id)).toEqual(['account.create', 'account.set-person']);
  });
});
