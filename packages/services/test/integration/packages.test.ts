import { findCustomPackage } from '@innkeeper/db';
import {
  assignPackage,
  type CreatePackageInput,
  createPackage,
  createReseller,
  getPackage,
  listAllPackages,
  listPackages,
  updatePackage,
} from '@innkeeper/services';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { auditOfTarget } from './fixtures.ts';
import { contextOf, counting, ownDatabase } from './records.ts';
import { expectRace, expectRefusal, forbidden, invalid } from './refusals.ts';

const database = ownDatabase();
let shop: number;
let rival: number;

beforeAll(async () => {
  const password = 'correct horse';
  shop = (await createReseller(ctx(), { username: 'shop', email: 'shop@example.com', password })).id;
  rival = (await createReseller(ctx(), { username: 'rival', email: 'rival@example.com', password })).id;
});
beforeEach(async () => {
  await database.db.deleteFrom('reseller_packages').execute();
  await database.db.deleteFrom('packages').execute();
});

const ctx = () => contextOf(database.db);
const as = (userId: number) => contextOf(database.db, { role: 'reseller', userId });
const input = (changes: Partial<CreatePackageInput> = {}): CreatePackageInput => ({
  name: 'Starter',
  disk_mb: 1_000,
  bandwidth_mb: 10_000,
  cpu_percent: 100,
  ram_mb: 512,
  max_domains: 1,
  max_databases: 1,
  max_apps: 1,
  max_cron_jobs: 1,
  ...changes,
});
const names = async (context: ReturnType<typeof ctx>) =>
  (await listPackages(context)).map(({ name }) => name);

const nameTaken = invalid({ name: expect.stringContaining('already been taken') });

test('a package is created with all its fields', async () => {
  const made = await createPackage(ctx(), input({ name: ' Größe XL! ', iops: 500, terminal_access: true }));
  expect(made).toEqual({
    id: made.id,
    name: 'Größe XL!',
    slug: 'grosse-xl',
    disk_mb: 1_000,
    bandwidth_mb: 10_000,
    cpu_percent: 100,
    ram_mb: 512,
    io_read_mbps: null,
    io_write_mbps: null,
    iops: 500,
    max_processes: null,
    max_domains: 1,
    max_databases: 1,
    max_apps: 1,
    max_cron_jobs: 1,
    terminal_access: true,
    smtp_port_25: false,
    is_active: true,
  });
  expect(await getPackage(ctx(), { package_id: made.id })).toEqual(made);
  expect(await listPackages(ctx())).toEqual([made]);
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: '专业' }, 'slug'],
  [{ slug: 'Has Spaces' }, 'slug'],
  [{ disk_mb: 99 }, 'disk_mb'],
  [{ disk_mb: 1_000_000_001 }, 'disk_mb'],
  [{ bandwidth_mb: 99 }, 'bandwidth_mb'],
  [{ cpu_percent: 0 }, 'cpu_percent'],
  [{ cpu_percent: 10_001 }, 'cpu_percent'],
  [{ ram_mb: 127 }, 'ram_mb'],
  [{ io_read_mbps: 4 }, 'io_read_mbps'],
  [{ io_write_mbps: 4 }, 'io_write_mbps'],
  [{ iops: 99 }, 'iops'],
  [{ max_processes: 19 }, 'max_processes'],
  [{ max_domains: 0 }, 'max_domains'],
  [{ max_databases: -1 }, 'max_databases'],
  [{ max_apps: 0.5 }, 'max_apps'],
  [{ max_cron_jobs: Number.NaN }, 'max_cron_jobs'],
  [{ is_internal: true, owner: 'shop' }, 'is_internal'],
  [{ owner: 'shop', resellers: ['rival'] }, 'resellers'],
])('%j is refused at its field', async (changes, field) => {
  await expectRefusal(createPackage(ctx(), input(changes)), invalid({ [field]: expect.any(String) }));
});

test('a package name is unique for each owner', async () => {
  await createPackage(ctx(), input());
  await expectRefusal(createPackage(ctx(), input({ name: 'starter!' })), nameTaken);
  await createPackage(ctx(), input({ owner: 'shop' }));
  await createPackage(as(rival), input());
  await expectRefusal(createPackage(as(shop), input()), 'invalid');
});

test('of 32 concurrent creates of one package exactly one succeeds', async () => {
  await expectRace({ calls: 32, winners: 1, refusal: nameTaken }, () => createPackage(ctx(), input()));
  expect(await listPackages(ctx())).toHaveLength(1);
});

test('an admin sees all active packages, a reseller its own and those assigned to it', async () => {
  await createPackage(ctx(), input({ name: 'Admin only' }));
  const assigned = await createPackage(ctx(), input({ name: 'Assigned', resellers: ['shop'] }));
  await createPackage(as(shop), input({ name: 'Own' }));
  await createPackage(ctx(), input({ name: 'Custom', is_internal: true }));
  const inactive = await createPackage(ctx(), input({ name: 'Old', resellers: ['shop'] }));
  await database.db.updateTable('packages').set({ is_active: 0 }).where('id', '=', inactive.id).execute();

  expect(await names(ctx())).toEqual(['Admin only', 'Assigned', 'Own']);
  expect(await names(as(shop))).toEqual(['Assigned', 'Own']);
  expect(await names(as(rival))).toEqual([]);
  await assignPackage(ctx(), { package_id: assigned.id, reseller: 'rival' });
  expect(await names(as(rival))).toEqual(['Assigned']);
  const counted = counting(database.db);
  await listPackages(contextOf(counted.db, { role: 'reseller', userId: shop }));
  expect(counted.statements()).toBe(1);
});

test('a package of others is forbidden to a reseller; an unknown package is not found', async () => {
  const mine = await createPackage(as(shop), input());
  const internal = await createPackage(ctx(), input({ name: 'Custom', is_internal: true }));
  expect(await getPackage(as(shop), { package_id: mine.id })).toEqual(mine);
  for (const package_id of [mine.id, internal.id])
    await expectRefusal(getPackage(as(rival), { package_id }), forbidden('This action is unauthorized.'));
  expect(await getPackage(ctx(), { package_id: internal.id })).toMatchObject({ name: 'Custom' });
  for (const context of [ctx(), as(shop)])
    await expectRefusal(getPackage(context, { package_id: 999_999 }), 'not_found');
});

test('assigning again changes nothing; a reseller’s own and an internal package are not assigned', async () => {
  const { id } = await createPackage(ctx(), input());
  await assignPackage(ctx(), { package_id: id, reseller: 'shop' });
  await assignPackage(ctx(), { package_id: id, reseller: 'shop' });
  expect(await auditOfTarget(database.db, `package:${id}`)).toEqual(['package.create', 'package.assign']);
  const own = await createPackage(as(rival), input());
  const internal = await createPackage(ctx(), input({ name: 'Custom', is_internal: true }));
  for (const package_id of [own.id, internal.id])
    await expectRefusal(assignPackage(ctx(), { package_id, reseller: 'shop' }), 'precondition_failed');
  await expectRefusal(assignPackage(ctx(), { package_id: 999_999, reseller: 'shop' }), 'not_found');
  await expectRefusal(assignPackage(ctx(), { package_id: id, reseller: 'nobody' }), 'not_found');
});

test('a reseller creates packages for itself only', async () => {
  const forAdmins = [
    { is_internal: true },
    { owner: 'rival' },
    { resellers: ['rival'] },
    { smtp_port_25: true },
  ];
  for (const changes of forAdmins)
    await expectRefusal(createPackage(as(shop), input(changes)), {
      code: 'invalid',
      fields: { [Object.keys(changes)[0]!]: [expect.stringMatching(/ field is for admins\.$/)] },
    });
  const { id } = await createPackage(as(shop), input());
  await expectRefusal(assignPackage(as(shop), { package_id: id, reseller: 'rival' }), 'forbidden');
  await expectRefusal(updatePackage(as(shop), { package_id: id, smtp_port_25: true }), 'forbidden');
  await expectRefusal(listAllPackages(as(shop)), 'forbidden');
});

test('operators see every package, with owner and resellers', async () => {
  await createPackage(ctx(), input({ resellers: ['shop', 'rival', 'shop'] }));
  await createPackage(as(shop), input());
  await createPackage(ctx(), input({ name: 'Custom', is_internal: true }));
  expect(await listAllPackages(ctx())).toMatchObject([
    { slug: 'starter', owner: null, assigned_resellers: ['rival', 'shop'], is_internal: false, accounts: 0 },
    { slug: 'starter', owner: 'shop', assigned_resellers: [], is_internal: false, accounts: 0 },
    { slug: 'custom', owner: null, assigned_resellers: [], is_internal: true, accounts: 0 },
  ]);
});

test('accounts with their own limits belong to the internal package, else to the smallest', async () => {
  const find = async (viewer: Parameters<typeof findCustomPackage>[1]) =>
    (await findCustomPackage(database.db, viewer))?.name;
  const reseller = { role: 'reseller', user_id: shop } as const;
  expect(await find({ role: 'admin' })).toBeUndefined();
  await createPackage(ctx(), input({ name: 'Big', disk_mb: 5_000, resellers: ['shop'] }));
  await createPackage(ctx(), input({ name: 'Small', disk_mb: 500 }));
  expect(await find({ role: 'admin' })).toBe('Small');
  expect(await find(reseller)).toBe('Big');
  await createPackage(ctx(), input({ name: 'Custom', disk_mb: 900_000, is_internal: true }));
  expect(await find({ role: 'admin' })).toBe('Custom');
  expect(await find(reseller)).toBe('Custom');
});
