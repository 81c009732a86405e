import {
  createCronJob,
  createDatabase,
  createDomain,
  getHosting,
  type OperatorContext,
  removeDomain,
  type ServiceContext,
} from '@innkeeper/services';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  actor,
  addOnlineNode,
  addPackage,
  addReseller,
  fresh,
  open,
  reportNewest,
  rowOf,
} from './fixtures.ts';
import { counting, refusalOf } from './records.ts';

let database: TestDatabase;
let nodeId: number;
let packageId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  nodeId = await addOnlineNode(database.db);
  packageId = await addPackage(database.db, { max_domains: 3, max_databases: 2, max_apps: 0 });
});
afterAll(() => database.drop());

const admin = () => actor(database.db);
const newAccount = async () => (await open(admin(), { package_id: packageId })).accountId;
const hosting = (account_id: number, ctx: ServiceContext = admin()) => getHosting(ctx, { account_id });

test('what is used of what is counted: without what is being removed, in one statement', async () => {
  const id = await newAccount();
  const domain = async () =>
    (
      await createDomain(admin(), {
        hosting_account_id: id,
        domain_name: `${fresh('hosted')}.example.com`,
      })
    ).view.id;
  await domain();
  await removeDomain(admin(), { domain_id: await domain() });
  await createDatabase(admin(), { hosting_account_id: id });
  await createCronJob(admin(), { hosting_account_id: id, schedule: '@daily', command: 'php a.php' });
  const { db, statements } = counting(database.db);
  expect(await hosting(id, { ...admin(), db })).toMatchObject({
    domains: { used: 1, limit: 3 },
    databases: { used: 1, limit: 2 },
    apps: { used: 0, limit: 0 },
    cron_jobs: { used: 1, limit: 5 },
  });
  expect(statements()).toBe(1);
});

test('the server: its address, the PHP that it said, and whether it is heard of', async () => {
  const id = await newAccount();
  expect((await hosting(id)).server).toEqual({
    address: '10.0.0.1',
    php_version: null,
    time_zone: null,
    online: true,
  });
  await database.db
    .updateTable('nodes')
    .set({ php_version: '8.2', time_zone: 'Europe/Berlin', last_seen_at: new Date(0) })
    .where('id', '=', nodeId)
    .execute();
  expect((await hosting(id)).server).toMatchObject({
    php_version: '8.2',
    time_zone: 'Europe/Berlin',
    online: false,
  });
  await database.db
    .updateTable('nodes')
    .set({ last_seen_at: new Date(Date.now() + 3_600_000) })
    .where('id', '=', nodeId)
    .execute();
});

test('whether the newest state is true on the server', async () => {
  const id = await newAccount();
  expect((await hosting(id)).applied).toBe('under_way');
  await reportNewest(database.db, id);
  expect((await hosting(id)).applied).toBe('yes');
  await createDatabase(admin(), { hosting_account_id: id });
  expect((await hosting(id)).applied).toBe('under_way');
  await reportNewest(database.db, id, { outcome: 'failed' });
  expect((await hosting(id)).applied).toBe('failed');
});

test('is of an account in scope', async () => {
  const id = await newAccount();
  const { user_id } = await rowOf(database.db, id);
  const owner = (accountId: number): ServiceContext => ({
    ...admin(),
    actor: { userId: user_id, role: 'user', accountId, tokenId: null, address: '192.0.2.1' },
  });
  const stranger: OperatorContext = await addReseller(database.db);
  expect(await hosting(id, owner(id))).toMatchObject({ domains: { used: 0 } });
  for (const ctx of [stranger, owner(await newAccount())])
    expect(await refusalOf(hosting(id, ctx))).toMatchObject({ code: 'not_found' });
});
