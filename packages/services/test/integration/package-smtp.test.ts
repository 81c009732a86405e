import {
  changeAccountPackage,
  createPackage,
  getPackage,
  setAccountResources,
  suspendAccount,
  terminateAccount,
  updatePackage,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addOnlineNode, addPackage, open, ownLimits, reportNewest, rowOf, specOf } from './fixtures.ts';
import { contextOf, fresh, untilItWaitsForALock } from './records.ts';
import { expectRefusal } from './refusals.ts';

const rig = useDatabaseRig();
const { admin } = rig;

const openFor = (package_id: number, ctx = admin()) => updatePackage(ctx, { package_id, smtp_port_25: true });
const generationOf = async (accountId: number) => (await rowOf(rig.db, accountId)).generation;
const isOpen = async (accountId: number) => (await specOf(rig.db, accountId)).smtp_port_25;

async function auditOfPackage(packageId: number) {
  const rows = await rig.db
    .selectFrom('audit_log')
    .select(['action', 'account_id', 'details'])
    .where('target', '=', `package:${packageId}`)
    .orderBy('id')
    .execute();
  return rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) }));
}

describe('port 25 of a package', () => {
  test('is closed, and opens for all accounts of the package only, in their next generation', async () => {
    const package_id = await addPackage(rig.db);
    const other = await rig.newAccount();
    const first = await open(admin(), { package_id });
    const second = await open(admin(), { package_id });
    // The account is placed on the node with the most room.
    await addOnlineNode(rig.db, { memory_bytes: 2 ** 40 });
    const elsewhere = await open(admin(), { package_id });
    await suspendAccount(admin(), { account_id: second.accountId });
    for (const { accountId } of [first, second, elsewhere]) {
      expect(await isOpen(accountId)).toBe(false);
      await reportNewest(rig.db, accountId);
    }

    const ctx = admin();
    expect(await openFor(package_id, ctx)).toMatchObject({ id: package_id, smtp_port_25: true });
    expect(await getPackage(admin(), { package_id })).toMatchObject({ smtp_port_25: true });
    for (const [{ accountId }, generation] of [
      [first, 2],
      [second, 3],
      [elsewhere, 2],
    ] as const)
      expect(await specOf(rig.db, accountId)).toMatchObject({ generation, smtp_port_25: true });
    expect(await specOf(rig.db, other)).toMatchObject({ generation: 1, smtp_port_25: false });
    expect(ctx.wakes.toSorted((a, b) => a.accountId - b.accountId)).toEqual([
      { nodeId: first.nodeId, accountId: first.accountId, generation: 2 },
      { nodeId: elsewhere.nodeId, accountId: elsewhere.accountId, generation: 2 },
    ]);
    expect((await auditOfPackage(package_id)).at(-1)).toEqual({
      action: 'package.update',
      account_id: null,
      details: expect.objectContaining({
        before: { smtp_port_25: false },
        after: { smtp_port_25: true },
        accounts: 3,
      }),
    });

    await updatePackage(admin(), { package_id, smtp_port_25: false });
    expect(await specOf(rig.db, first.accountId)).toMatchObject({ generation: 3, smtp_port_25: false });
  });

  test('that does not change raises no generation, wakes no node and is not audited', async () => {
    const package_id = await addPackage(rig.db, { smtp_port_25: true });
    const { accountId } = await open(admin(), { package_id });
    const ctx = admin();
    expect(await openFor(package_id, ctx)).toMatchObject({ smtp_port_25: true });
    expect(await generationOf(accountId)).toBe(1);
    expect(ctx.wakes).toEqual([]);
    const [created, ...others] = await auditOfPackage(package_id);
    expect(created).toMatchObject({ action: 'package.create', details: { after: { smtp_port_25: true } } });
    expect(others).toEqual([]);
  });

  test('follows a package change, and stays when the account gets its own limits', async () => {
    const account_id = await rig.newAccount();
    const mail = await addPackage(rig.db, { smtp_port_25: true });
    await changeAccountPackage(admin(), { account_id, package_id: mail });
    expect(await specOf(rig.db, account_id)).toMatchObject({ generation: 2, smtp_port_25: true });
    const { package_id: _, ...own } = ownLimits;
    await setAccountResources(admin(), { account_id, ...own, terminal_access: false });
    expect(await specOf(rig.db, account_id)).toMatchObject({ generation: 3, smtp_port_25: true });
    await changeAccountPackage(admin(), { account_id, package_id: rig.packageId });
    expect(await isOpen(account_id)).toBe(false);
  });

  test('of accounts with their own limits is that of the internal package', async () => {
    const { name: _, ...shown } = await getPackage(admin(), { package_id: rig.packageId });
    const sizes = { ...shown, slug: fresh('internal') };
    const internal = await createPackage(admin(), { name: fresh('Internal '), ...sizes, is_internal: true });
    const { accountId } = await open(admin(), ownLimits);
    expect(await isOpen(accountId)).toBe(false);
    await openFor(internal.id);
    expect(await isOpen(accountId)).toBe(true);
  });

  test('can be opened while an account of the package is being removed', async () => {
    const package_id = await addPackage(rig.db);
    const { accountId } = await open(admin(), { package_id });
    await terminateAccount(admin(), { account_id: accountId });
    await openFor(package_id);
    expect(await specOf(rig.db, accountId)).toMatchObject({ generation: 3, desired_state: 'absent' });
    await reportNewest(rig.db, accountId, { outcome: 'absent' });
    expect(await rig.db.selectFrom('accounts').where('id', '=', accountId).select('id').execute()).toEqual(
      [],
    );
  });

  test('is refused to resellers, and for an unknown package', async () => {
    const reseller = contextOf(rig.db, { role: 'reseller', userId: 1 });
    const package_id = await addPackage(rig.db);
    await expectRefusal(openFor(package_id, { ...admin(), ...reseller }), 'forbidden');
    await expectRefusal(openFor(999_999), 'not_found');
    expect(await getPackage(admin(), { package_id })).toMatchObject({ smtp_port_25: false });
  });

  test.each(['an account is created', 'an account moves to it'] as const)(
    'is in the newest generation of every account if it opens while %s',
    async (what) => {
      const package_id = await addPackage(rig.db);
      const account_id = await rig.newAccount();
      // An update of the package that has raised generations but has not committed yet.
      const opening = await rig.db.startTransaction().execute();
      await opening.updateTable('packages').set({ smtp_port_25: 1 }).where('id', '=', package_id).execute();
      const joining =
        what === 'an account is created'
          ? open(admin(), { package_id })
          : changeAccountPackage(admin(), { account_id, package_id });
      await untilItWaitsForALock(rig.db, joining);
      const before = await Promise.race([joining.then(() => 'joined'), 'waits']);
      await opening.commit().execute();
      expect(before).toBe('waits');
      expect(await isOpen((await joining).accountId)).toBe(true);
    },
  );

  test('has one state in all accounts after 32 concurrent changes', async () => {
    const package_id = await addPackage(rig.db);
    const accounts = await Promise.all(Array.from({ length: 4 }, () => open(admin(), { package_id })));
    await Promise.all(
      Array.from({ length: 32 }, (_, at) =>
        updatePackage(admin(), { package_id, smtp_port_25: at % 2 === 0 }),
      ),
    );
    const { smtp_port_25 } = await getPackage(admin(), { package_id });
    const changes = (await auditOfPackage(package_id)).length - 1;
    for (const { accountId } of accounts)
      expect(await specOf(rig.db, accountId)).toMatchObject({ smtp_port_25, generation: 1 + changes });
  });
});
