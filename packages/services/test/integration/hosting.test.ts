import {
  createCronJob,
  createDatabase,
  createDomain,
  getHosting,
  type OperatorContext,
  removeDomain,
  type ServiceContext,
} from '@innkeeper/services';
import { beforeAll, expect, test } from 'vitest';
import { actor, addOnlineNode, addPackage, addReseller, open, reportNewest, rowOf } from './fixtures.ts';
import { counting, fresh, ownDatabase, updateRows } from './records.ts';
import { expectRefusal } from './refusals.ts';

const database = ownDatabase();
let nodeId: number;
let packageId: number;
beforeAll(async () => {
  nodeId = await addOnlineNode(database.db);
  packageId = await addPackage(database.db, { max_domains: 3, max_databases: 2, max_apps: 0 });
});

const admin = () => actor(database.db);
const newAccount = async () => (await open(admin(), { package_id: packageId })).accountId;
const hosting = (account_id: number, ctx: ServiceContext = admin()) => getHosting(ctx, { account_id });

test('the used counts do not include records that are being removed, and cost one statement', async () => {
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

test('the server is shown with its address, PHP version, time zone and online state', async () => {
  const id = await newAccount();
  expect((await hosting(id)).server).toEqual({
    address: '10.0.0.1',
    php_version: null,
    time_zone: null,
    online: true,
  });
  const said = { php_version: '8.2', time_zone: 'Europe/Berlin', last_seen_at: new Date(0) };
  await updateRows(database.db, 'nodes', { id: nodeId }, said);
  expect((await hosting(id)).server).toMatchObject({
    php_version: '8.2',
    time_zone: 'Europe/Berlin',
    online: false,
  });
  const last_seen_at = new Date(Date.now() + 3_600_000);
  await updateRows(database.db, 'nodes', { id: nodeId }, { last_seen_at });
});

test('the state of the newest generation on the server is shown', async () => {
  const id = await newAccount();
  expect((await hosting(id)).applied).toBe('under_way');
  await reportNewest(database.db, id);
  expect((await hosting(id)).applied).toBe('yes');
  await createDatabase(admin(), { hosting_account_id: id });
  expect((await hosting(id)).applied).toBe('under_way');
  await reportNewest(database.db, id, { outcome: 'failed' });
  expect((await hosting(id)).applied).toBe('failed');
});

test('accounts of others are not found', async () => {
  const id = await newAccount();
  const { user_id } = await rowOf(database.db, id);
  const owner = (accountId: number): ServiceContext => ({
    ...admin(),
    actor: { userId: user_id, role: 'user', accountId, tokenId: null, address: '192.0.2.1' },
  });
  const stranger: OperatorContext = await addReseller(database.db);
  expect(await hosting(id, owner(id))).toMatchObject({ domains: { used: 0 } });
  for (const ctx of [stranger, owner(await newAccount())]) await expectRefusal(hosting(id, ctx), 'not_found');
});
