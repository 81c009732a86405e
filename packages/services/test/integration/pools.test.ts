import { inTransaction, lockReseller } from '@innkeeper/db';
import { createReseller, getPool, type SetPoolInput, setPool } from '@innkeeper/services';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AccountRecord,
  contextOf,
  insertAccountRecord,
  insertNodeRecord,
  ownDatabase,
  untilItWaitsForALock,
} from './records.ts';
import { expectRefusal, invalid, refusalOf } from './refusals.ts';

const database = ownDatabase();
let reseller: { id: number; username: string };
let serial = 0;

let node_id: number;
beforeAll(async () => {
  node_id = await insertNodeRecord(database.db);
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

const ctx = () => contextOf(database.db);
const set = (input: Omit<SetPoolInput, 'reseller'>) =>
  setPool(ctx(), { reseller: reseller.username, ...input });
const get = () => getPool(ctx(), { reseller: reseller.username });
const account = (record: Partial<AccountRecord> = {}) =>
  insertAccountRecord(database.db, {
    username: `acc${++serial}`,
    node_id,
    reseller_user_id: reseller.id,
    ...record,
  });
const unlimited = { io_read_mbps: null, io_write_mbps: null, iops: null, max_processes: null };

test('without a pool nothing is limited, and the allocated amounts are shown', async () => {
  await account({ disk_limit_mb: 700, io_read_mbps: 10 });
  await account({ disk_limit_mb: 300, state: 'terminating' });
  await insertAccountRecord(database.db, { username: `other${serial}`, node_id, reseller_user_id: null });
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

test('omitted fields stay, null removes a limit', async () => {
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
] as const)('%s may be as low as what is allocated, and not lower', async (field, less, allocated) => {
  const io = { io_read_mbps: 10, io_write_mbps: 10, iops: 200 };
  await account(io);
  await account({ ...io, state: 'terminating' });
  await set({ [field]: allocated });
  await expectRefusal(
    set({ [field]: less }),
    invalid({ [field]: expect.stringMatching(new RegExp(`cannot be ${less}: ${allocated} `)) }),
  );
  expect(await get()).toMatchObject({ [field]: allocated });
});

test('overselling applies to disk, bandwidth, CPU and RAM only', async () => {
  await account({ io_read_mbps: 10, io_write_mbps: 10, iops: 200 });
  await set({ overselling: true, disk_mb: 1, bandwidth_mb: 1, cpu_percent: 1, ram_mb: 1 });
  for (const field of ['io_read_mbps', 'io_write_mbps', 'iops', 'max_processes', 'max_accounts'] as const)
    await expectRefusal(set({ [field]: 0 }), invalid({ [field]: expect.any(String) }));
  await expectRefusal(
    set({ overselling: false }),
    invalid({
      disk_mb: expect.any(String),
      bandwidth_mb: expect.any(String),
      cpu_percent: expect.any(String),
      ram_mb: expect.any(String),
    }),
  );
});

test('a limit cannot be pooled while an account is unlimited', async () => {
  await account();
  await expectRefusal(
    set({ io_read_mbps: 1_000_000, max_processes: 100 }),
    invalid({ io_read_mbps: expect.stringContaining("1 of the reseller's accounts has no limit") }),
  );
  expect(await set({ max_processes: 100 })).toMatchObject({ max_processes: 100 });
});

test('a pool change waits for transactions that use the pool', async () => {
  const locked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const taking = inTransaction(database.db, async (trx) => {
    await lockReseller(trx, reseller.id);
    locked.resolve();
    await held.promise;
    await insertAccountRecord(trx, {
      username: `late${serial}`,
      node_id,
      reseller_user_id: reseller.id,
      disk_limit_mb: 900,
    });
  });
  await locked.promise;
  const lowering = refusalOf(set({ disk_mb: 500 }));
  await untilItWaitsForALock(database.db, lowering);
  held.resolve();
  await taking;
  expect(await lowering).toMatchObject(invalid({ disk_mb: expect.stringContaining('900') }));
});

test.each([
  [{ disk_mb: -1 }, 'disk_mb'],
  [{ iops: 1.5 }, 'iops'],
  [{ ram_mb: Number.NaN }, 'ram_mb'],
  [{ cpu_percent: 2 ** 53 }, 'cpu_percent'],
])('%j is refused at its field', async (input, field) => {
  await expectRefusal(set(input), invalid({ [field]: expect.any(String) }));
});

test('only admins set pools; a reseller sees its own', async () => {
  const own = contextOf(database.db, { role: 'reseller', userId: reseller.id });
  const rival = contextOf(database.db, { role: 'reseller', userId: reseller.id + 1_000 });
  const input = { reseller: reseller.username };
  await expectRefusal(setPool(own, { ...input, disk_mb: 1 }), 'forbidden');
  expect(await getPool(own, input)).toMatchObject({ reseller: { id: reseller.id } });
  await expectRefusal(getPool(rival, input), 'not_found');
  await expectRefusal(setPool(ctx(), { reseller: 'nobody' }), 'not_found');
});
