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
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contextOf, counting, refusalOf } from './records.ts';

let database: TestDatabase;
let shop: number;
let rival: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const password = 'correct horse';
  shop = (await createReseller(ctx(), { username: 'shop', email: 'shop@example.com', password })).id;
  rival = (await createReseller(ctx(), { username: 'rival', email: 'rival@example.com', password })).id;
});
beforeEach(async () => {
  await database.db.deleteFrom('reseller_packages').execute();
  await database.db.deleteFrom('packages').execute();
});
afterAll(() => database.drop());

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

test('a package is shown as the API has it', async () => {
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
])('%j is refused by its field', async (changes, field) => {
  expect(await refusalOf(createPackage(ctx(), input(changes)))).toMatchObject({
    code: 'invalid',
    fields: { [field]: [expect.any(String)] },
  });
});

test('an owner has a name once; another owner may have it too', async () => {
  await createPackage(ctx(), input());
  expect(await refusalOf(createPackage(ctx(), input({ name: 'starter!' })))).toMatchObject({
    code: 'invalid',
    fields: { name: [expect.stringContaining('already been taken')] },
  });
  await createPackage(ctx(), input({ owner: 'shop' }));
  await createPackage(as(rival), input());
  expect(await refusalOf(createPackage(as(shop), input()))).toMatchObject({ code: 'invalid' });
});

test('of 32 that make one package at once exactly one does', async () => {
  const results = await Promise.all(
    Array.from({ length: 32 }, () => refusalOf(createPackage(ctx(), input()))),
  );
  expect(results.filter((result) => !(result instanceof Error))).toHaveLength(1);
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

test('a package that a reseller may not see is forbidden; one that is none is not found', async () => {
  const mine = await createPackage(as(shop), input());
  const internal = await createPackage(ctx(), input({ name: 'Custom', is_internal: true }));
  expect(await getPackage(as(shop), { package_id: mine.id })).toEqual(mine);
  for (const package_id of [mine.id, internal.id])
    expect(await refusalOf(getPackage(as(rival), { package_id }))).toMatchObject({
      code: 'forbidden',
      message: 'This action is unauthorized.',
    });
  expect(await getPackage(ctx(), { package_id: internal.id })).toMatchObject({ name: 'Custom' });
  for (const context of [ctx(), as(shop)])
    expect(await refusalOf(getPackage(context, { package_id: 999_999 }))).toMatchObject({
      code: 'not_found',
    });
});

test('assigning again changes nothing; a reseller’s own and an internal package are not assigned', async () => {
  const { id } = await createPackage(ctx(), input());
  await assignPackage(ctx(), { package_id: id, reseller: 'shop' });
  await assignPackage(ctx(), { package_id: id, reseller: 'shop' });
  const log = await database.db
    .selectFrom('audit_log')
    .select('action')
    .where('target', '=', `package:${id}`)
    .execute();
  expect(log.map(({ action }) => action)).toEqual(['package.create', 'package.assign']);
  const own = await createPackage(as(rival), input());
  const internal = await createPackage(ctx(), input({ name: 'Custom', is_internal: true }));
  for (const package_id of [own.id, internal.id])
    expect(await refusalOf(assignPackage(ctx(), { package_id, reseller: 'shop' }))).toMatchObject({
      code: 'precondition_failed',
    });
  expect(await refusalOf(assignPackage(ctx(), { package_id: 999_999, reseller: 'shop' }))).toMatchObject({
    code: 'not_found',
  });
  expect(await refusalOf(assignPackage(ctx(), { package_id: id, reseller: 'nobody' }))).toMatchObject({
    code: 'not_found',
  });
});

test('a reseller makes packages for itself alone', async () => {
  const forAdmins = [
    { is_internal: true },
    { owner: 'rival' },
    { resellers: ['rival'] },
    { smtp_port_25: true },
  ];
  for (const changes of forAdmins)
    expect(await refusalOf(createPackage(as(shop), input(changes)))).toMatchObject({
      code: 'invalid',
      fields: { [Object.keys(changes)[0]!]: [expect.stringMatching(/ field is for admins\.$/)] },
    });
  const { id } = await createPackage(as(shop), input());
  expect(await refusalOf(assignPackage(as(shop), { package_id: id, reseller: 'rival' }))).toMatchObject({
    code: 'forbidden',
  });
  expect(await refusalOf(updatePackage(as(shop), { package_id: id, smtp_port_25: true }))).toMatchObject({
    code: 'forbidden',
  });
  expect(await refusalOf(listAllPackages(as(shop)))).toMatchObject({ code: 'forbidden' });
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

test('accounts with limits of their own hang on the internal package, else on the smallest', async () => {
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
