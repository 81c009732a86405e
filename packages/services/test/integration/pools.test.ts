import { inTransaction, lockReseller } from '@innkeeper/db';
import { createReseller, getPool, type SetPoolInput, setPool } from '@innkeeper/services';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AccountRecord,
  contextOf,
  insertAccountRecord,
  refusalOf,
  untilItWaitsForALock,
} from './records.ts';

let database: TestDatabase;
let reseller: { id: number; username: string };
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db
    .insertInto('nodes')
    .values({ id: 1, name: 'web1', address: '10.0.0.1', state: 'active', created_at: new Date() })
    .execute();
});
beforeEach(async () => {
  serial += 1;
  const username = `shop${serial}`;
  reseller = await createReseller(ctx(), {
    username,
    email: `${username}@example.com`,
    password: 'correct horse',
  });
});
afterAll(() => database.drop());

const ctx = () => contextOf(database.db);
const set = (input: Omit<SetPoolInput, 'reseller'>) =>
  setPool(ctx(), { reseller: reseller.username, ...input });
const get = () => getPool(ctx(), { reseller: reseller.username });
const account = (record: Partial<AccountRecord> = {}) =>
  insertAccountRecord(database.db, {
    username: `acc${++serial}`,
    node_id: 1,
    reseller_user_id: reseller.id,
    ...record,
  });
const unlimited = { io_read_mbps: null, io_write_mbps: null, iops: null, max_processes: null };

test('without a pool nothing is pooled, and what accounts hold is shown all the same', async () => {
  await account({ disk_limit_mb: 700, io_read_mbps: 10 });
  await account({ disk_limit_mb: 300, state: 'terminating' });
  await insertAccountRecord(database.db, { username: `other${serial}`, node_id: 1, reseller_user_id: null });
  expect(await get()).toEqual({
    reseller: { id: reseller.id, username: reseller.username },
    overselling: false,
    max_accounts: null,
    disk_mb: null,
    bandwidth_mb: null,
    cpu_percent: null,
    ram_mb: null,
    ...unlimited,
    allocated: {
      accounts: 2,
      disk_mb: 1_000,
      bandwidth_mb: 20_000,
      cpu_percent: 200,
      ram_mb: 1_024,
      io_read_mbps: 10,
      io_write_mbps: 0,
      iops: 0,
      max_processes: 200,
      unlimited_io_read: 1,
      unlimited_io_write: 2,
      unlimited_iops: 2,
      unlimited_processes: 0,
    },
  });
});

test('what is left out stays, null takes away', async () => {
  await set({ overselling: true, max_accounts: 5, disk_mb: 10_000, iops: 500 });
  expect(await set({ disk_mb: 20_000 })).toMatchObject({
    overselling: true,
    max_accounts: 5,
    disk_mb: 20_000,
    iops: 500,
  });
  expect(await set({ overselling: false, max_accounts: null })).toMatchObject({
    overselling: false,
    max_accounts: null,
    disk_mb: 20_000,
  });
  expect(await get()).toMatchObject({ overselling: false, max_accounts: null, disk_mb: 20_000, iops: 500 });
});

test.each([
  ['max_accounts', 1, 2],
  ['disk_mb', 1_999, 2_000],
  ['bandwidth_mb', 19_999, 20_000],
  ['cpu_percent', 199, 200],
  ['ram_mb', 1_023, 1_024],
  ['io_read_mbps', 19, 20],
  ['io_write_mbps', 19, 20],
  ['iops', 399, 400],
  ['max_processes', 199, 200],
] as const)('%s takes what is handed out and nothing less', async (field, less, allocated) => {
  const io = { io_read_mbps: 10, io_write_mbps: 10, iops: 200 };
  await account(io);
  await account({ ...io, state: 'terminating' });
  await set({ [field]: allocated });
  expect(await refusalOf(set({ [field]: less }))).toMatchObject({
    code: 'invalid',
    fields: { [field]: [expect.stringMatching(new RegExp(`cannot be ${less}: ${allocated} `))] },
  });
  expect(await get()).toMatchObject({ [field]: allocated });
});

test('overselling lets disk, bandwidth, CPU and RAM be promised more often, and no other', async () => {
  await account({ io_read_mbps: 10, io_write_mbps: 10, iops: 200 });
  await set({ overselling: true, disk_mb: 1, bandwidth_mb: 1, cpu_percent: 1, ram_mb: 1 });
  for (const field of ['io_read_mbps', 'io_write_mbps', 'iops', 'max_processes', 'max_accounts'] as const)
    expect(await refusalOf(set({ [field]: 0 }))).toMatchObject({ fields: { [field]: [expect.any(String)] } });
  expect(await refusalOf(set({ overselling: false }))).toMatchObject({
    fields: {
      disk_mb: [expect.any(String)],
      bandwidth_mb: [expect.any(String)],
      cpu_percent: [expect.any(String)],
      ram_mb: [expect.any(String)],
    },
  });
});

test('nothing is pooled of what an account has without a limit', async () => {
  await account();
  expect(await refusalOf(set({ io_read_mbps: 1_000_000, max_processes: 100 }))).toMatchObject({
    fields: { io_read_mbps: [expect.stringContaining("1 of the reseller's accounts has no limit")] },
  });
  expect(await set({ max_processes: 100 })).toMatchObject({ max_processes: 100 });
});

test('a pool waits for whoever takes from it', async () => {
  const locked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const taking = inTransaction(database.db, async (trx) => {
    await lockReseller(trx, reseller.id);
    locked.resolve();
    await held.promise;
    await insertAccountRecord(trx, {
      username: `late${serial}`,
      node_id: 1,
      reseller_user_id: reseller.id,
      disk_limit_mb: 900,
    });
  });
  await locked.promise;
  const lowering = refusalOf(set({ disk_mb: 500 }));
  await untilItWaitsForALock(database.db, lowering);
  held.resolve();
  await taking;
  expect(await lowering).toMatchObject({ fields: { disk_mb: [expect.stringContaining('900')] } });
});

test.each([
  [{ disk_mb: -1 }, 'disk_mb'],
  [{ iops: 1.5 }, 'iops'],
  [{ ram_mb: Number.NaN }, 'ram_mb'],
  [{ cpu_percent: 2 ** 53 }, 'cpu_percent'],
])('%j is refused by its field', async (input, field) => {
  expect(await refusalOf(set(input))).toMatchObject({
    code: 'invalid',
    fields: { [field]: [expect.any(String)] },
  });
});

test('only admins set pools; a reseller sees its own', async () => {
  const own = contextOf(database.db, { role: 'reseller', userId: reseller.id });
  const rival = contextOf(database.db, { role: 'reseller', userId: reseller.id + 1_000 });
  const input = { reseller: reseller.username };
  expect(await refusalOf(setPool(own, { ...input, disk_mb: 1 }))).toMatchObject({ code: 'forbidden' });
  expect(await getPool(own, input)).toMatchObject({ reseller: { id: reseller.id } });
  expect(await refusalOf(getPool(rival, input))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(setPool(ctx(), { reseller: 'nobody' }))).toMatchObject({ code: 'not_found' });
});
