import {
  allowDatabaseIp,
  createApp,
  createCronJob,
  createDatabase,
  createDomain,
  deployGit,
  getApp,
  getCronJob,
  getDatabase,
  getDomain,
  installSsl,
  listApps,
  listCronJobs,
  listDatabases,
  listDomains,
  type OperatorContext,
  removeApp,
  removeCronJob,
  removeDatabase,
  removeDomain,
  resetDatabasePassword,
  revokeDatabaseIp,
  setAccountResources,
  startApp,
  stopApp,
  terminateAccount,
  updateCronJob,
} from '@innkeeper/services';
import { describe, expect, test } from 'vitest';
import { useDatabaseRig } from './database-rig.ts';
import { addPackage, addReseller, open, rowOf } from './fixtures.ts';
import { fresh, limits } from './records.ts';
import { expectRace, expectRefusal, limitReached, terminating } from './refusals.ts';

const rig = useDatabaseRig();
const { admin, newAccount } = rig;

/** What an account may have several of: the rules that are the same for each kind. */
interface Kind {
  kind: string;
  limit: 'max_domains' | 'max_databases' | 'max_apps' | 'max_cron_jobs';
  create: (ctx: OperatorContext, hosting_account_id: number) => Promise<{ view: Shown }>;
  get: (ctx: OperatorContext, id: number) => Promise<Shown>;
  list: (
    ctx: OperatorContext,
    query: { hosting_account_id?: number; page: number; per_page: number },
  ) => Promise<{ items: Shown[]; page: number; per_page: number; total: number }>;
  remove: (ctx: OperatorContext, id: number) => Promise<unknown>;
  otherWrites: ((ctx: OperatorContext, id: number) => Promise<unknown>)[];
}
interface Shown {
  id: number;
  hosting_account_id: number;
}

const job = { schedule: '*/5 * * * *', command: 'php cron.php' };
const ip = '192.0.2.1';
const kinds: Kind[] = [
  {
    kind: 'Domain',
    limit: 'max_domains',
    create: (ctx, hosting_account_id) =>
      createDomain(ctx, { hosting_account_id, domain_name: `${fresh('site')}.example` }),
    get: (ctx, domain_id) => getDomain(ctx, { domain_id }),
    list: listDomains,
    remove: (ctx, domain_id) => removeDomain(ctx, { domain_id }),
    otherWrites: [(ctx, domain_id) => installSsl(ctx, { domain_id })],
  },
  {
    kind: 'Database',
    limit: 'max_databases',
    create: (ctx, hosting_account_id) => createDatabase(ctx, { hosting_account_id }),
    get: (ctx, database_id) => getDatabase(ctx, { database_id }),
    list: listDatabases,
    remove: (ctx, database_id) => removeDatabase(ctx, { database_id }),
    otherWrites: [
      (ctx, database_id) => resetDatabasePassword(ctx, { database_id }),
      (ctx, database_id) => allowDatabaseIp(ctx, { database_id, ip }),
      (ctx, database_id) => revokeDatabaseIp(ctx, { database_id, ip }),
    ],
  },
  {
    kind: 'Cron job',
    limit: 'max_cron_jobs',
    create: (ctx, hosting_account_id) => createCronJob(ctx, { hosting_account_id, ...job }),
    get: (ctx, cron_job_id) => getCronJob(ctx, { cron_job_id }),
    list: listCronJobs,
    remove: (ctx, cron_job_id) => removeCronJob(ctx, { cron_job_id }),
    otherWrites: [(ctx, cron_job_id) => updateCronJob(ctx, { cron_job_id, ...job })],
  },
  {
    kind: 'App',
    limit: 'max_apps',
    create: (ctx, hosting_account_id) =>
      createApp(ctx, { hosting_account_id, template_key: 'nodejs', name: 'Shop', env: new Map() }),
    get: (ctx, app_id) => getApp(ctx, { app_id }),
    list: listApps,
    remove: (ctx, app_id) => removeApp(ctx, { app_id }),
    otherWrites: [startApp, stopApp, deployGit].map((work) => (ctx, app_id) => work(ctx, { app_id })),
  },
];

/** Creates an account of a package with this limit. */
const accountWith = async (limit: Kind['limit'], count: number, ctx: OperatorContext = admin()) => {
  const package_id = await addPackage(rig.db, { [limit]: count });
  return (await open(ctx, { package_id })).accountId;
};

describe.each(kinds)('$kind', ({ kind, limit, create, get, list, remove, otherWrites }) => {
  test('records and accounts of another reseller are not found, as those that do not exist', async () => {
    const [owner, stranger] = [await addReseller(rig.db), await addReseller(rig.db)];
    const package_id = await addPackage(rig.db, { owner: owner.username });
    const { accountId } = await open(owner, { package_id });
    const { view } = await create(owner, accountId);
    const before = await get(owner, view.id);
    expect(before).toMatchObject({ id: view.id, hosting_account_id: accountId });
    for (const id of [view.id, 9_999_999])
      for (const call of [get, remove, ...otherWrites]) await expectRefusal(call(stranger, id), 'not_found');
    for (const hosting_account_id of [accountId, 9_999_999]) {
      await expectRefusal(create(stranger, hosting_account_id), 'not_found');
      await expectRefusal(list(stranger, { hosting_account_id, page: 1, per_page: 25 }), 'not_found');
    }
    expect((await list(stranger, { page: 1, per_page: 25 })).total).toBe(0);
    expect((await list(owner, { page: 1, per_page: 25 })).items).toMatchObject([{ id: view.id }]);
    expect(await get(owner, view.id)).toEqual(before);
  });

  test('the list is in pages, oldest first, of one account or of all', async () => {
    const id = await newAccount();
    const query = { hosting_account_id: id, page: 2, per_page: 2 };
    expect(await list(admin(), query)).toMatchObject({ items: [], total: 0 });
    const made: number[] = [];
    for (let i = 0; i < 3; i++) made.push((await create(admin(), id)).view.id);
    const page = await list(admin(), query);
    expect(page).toMatchObject({ page: 2, per_page: 2, total: 3 });
    expect(page.items.map((item) => item.id)).toEqual(made.slice(2));
    expect((await list(admin(), { page: 1, per_page: 1 })).total).toBeGreaterThan(3);
  });

  test('of 32 concurrent creates exactly as many succeed as the account may have', async () => {
    const id = await accountWith(limit, 5);
    await expectRace({ calls: 32, winners: 5, refusal: limitReached(kind, 5) }, () => create(admin(), id));
    expect((await rowOf(rig.db, id)).generation).toBe(6);
    expect((await list(admin(), { hosting_account_id: id, page: 1, per_page: 25 })).total).toBe(5);
  });

  test('a record that is being removed does not count', async () => {
    const id = await accountWith(limit, 1);
    const { view } = await create(admin(), id);
    await expectRefusal(create(admin(), id), limitReached(kind, 1));
    await remove(admin(), view.id);
    await create(admin(), id);
    await expectRefusal(create(admin(), id), limitReached(kind, 1));
  });

  test('every write is refused while the account is being terminated', async () => {
    const id = await newAccount();
    const { view } = await create(admin(), id);
    await terminateAccount(admin(), { account_id: id });
    await expectRefusal(create(admin(), id), terminating);
    for (const write of [remove, ...otherWrites]) await expectRefusal(write(admin(), view.id), terminating);
    expect(await get(admin(), view.id)).toMatchObject({ id: view.id });
  });
});

test.each(kinds.filter(({ limit }) => limit !== 'max_cron_jobs'))(
  '$kind: a lower limit that is set at the same time is never exceeded',
  async ({ limit, create, list }) => {
    const id = await accountWith(limit, 5);
    await Promise.allSettled([
      ...Array.from({ length: 5 }, () => create(admin(), id)),
      setAccountResources(admin(), { account_id: id, ...limits, [limit]: 1, terminal_access: false }),
    ]);
    const { total } = await list(admin(), { hosting_account_id: id, page: 1, per_page: 25 });
    expect(total).toBeLessThanOrEqual((await rowOf(rig.db, id))[limit]);
  },
);
