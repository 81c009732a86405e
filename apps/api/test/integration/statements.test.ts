import { countHits } from '@innkeeper/db';
import {
  checkUsername,
  createApp,
  createCronJob,
  createDatabase,
  createDomain,
  getAccount,
  getApp,
  getBulkUsage,
  getCronJob,
  getDatabase,
  getDomain,
  getPackage,
  getUsage,
  listAccounts,
  listApps,
  listCronJobs,
  listDatabases,
  listDomains,
  listPackages,
  type OperatorContext,
} from '@innkeeper/services';
import { beforeAll, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();
let accountId: number;
let domainId: number;
let databaseId: number;
let cronJobId: number;
let appId: number;
let freeDomainId: number;
beforeAll(async () => {
  accountId = (await rig.createAccount({ username: 'counted', package_id: rig.packages.small })).id;
  const room = { max_domains: 3, max_databases: 2, max_cron_jobs: 2, max_apps: 2 };
  await rig.db.updateTable('accounts').set(room).where('id', '=', accountId).execute();
  const domain = { hosting_account_id: accountId, domain_name: 'counted.example.com' };
  domainId = (await rig.ask('createDomain', { body: domain })).body.data.id;
  const free = { ...domain, domain_name: 'free.example.com' };
  freeDomainId = (await rig.ask('createDomain', { body: free })).body.data.id;
  const owner = { hosting_account_id: accountId };
  databaseId = (await rig.ask('createDatabase', { body: owner })).body.data.id;
  const job = { ...owner, schedule: '@daily', command: 'php tick.php' };
  cronJobId = (await rig.ask('createCronJob', { body: job })).body.data.id;
  const app = { ...owner, template_key: 'php', domain_id: domainId, name: 'Shop', env: { A: '1', B: '2' } };
  appId = (await rig.ask('createApp', { body: app })).body.data.id;
});

const page = { page: 1, per_page: 25 };
const reads: Record<string, (ctx: OperatorContext) => Promise<unknown>> = {
  listPackages: (ctx) => listPackages(ctx),
  getPackage: (ctx) => getPackage(ctx, { package_id: rig.packages.small }),
  listAccounts: (ctx) => listAccounts(ctx, page),
  checkUsername: (ctx) => checkUsername(ctx, { username: 'free' }),
  getAccount: (ctx) => getAccount(ctx, { account_id: accountId, include: new Set() }),
  getUsage: (ctx) => getUsage(ctx, { account_id: accountId }),
  getBulkUsage: (ctx) => getBulkUsage(ctx, { account_ids: [accountId] }),
  listDomains: (ctx) => listDomains(ctx, { hosting_account_id: accountId, ...page }),
  getDomain: (ctx) => getDomain(ctx, { domain_id: domainId }),
  listDatabases: (ctx) => listDatabases(ctx, { hosting_account_id: accountId, ...page }),
  getDatabase: (ctx) => getDatabase(ctx, { database_id: databaseId }),
  listCronJobs: (ctx) => listCronJobs(ctx, { hosting_account_id: accountId, ...page }),
  getCronJob: (ctx) => getCronJob(ctx, { cron_job_id: cronJobId }),
  listApps: (ctx) => listApps(ctx, { hosting_account_id: accountId, ...page }),
  getApp: (ctx) => getApp(ctx, { app_id: appId }),
};

it.each(Object.keys(reads))(
  '%s costs at most two statements, the rate limit’s included, for a token that is remembered',
  async (name) => {
    const { db, count } = counting();
    await countHits(db, { bucket: 'user:1', hits: 1, limit: 60 });
    expect(count()).toBe(1);
    await reads[name]?.({ ...rig.operator, db });
    expect(count()).toBeGreaterThan(1);
    expect(count()).toBeLessThanOrEqual(2);
  },
);

/**
 * Statements of the transaction, without BEGIN and COMMIT: the lock, the rules, the rows, the generation and the audit
 * row.
 */
const creates: Record<string, { most: number; run: (ctx: OperatorContext) => Promise<unknown> }> = {
  createCronJob: {
    most: 5,
    run: (ctx) => createCronJob(ctx, { ...owner(), schedule: '@daily', command: 'php tick.php' }),
  },
  createDatabase: { most: 6, run: (ctx) => createDatabase(ctx, owner()) },
  createDomain: {
    most: 12,
    run: (ctx) => createDomain(ctx, { ...owner(), domain_name: 'other.example.net' }),
  },
  createApp: {
    most: 8,
    run: (ctx) =>
      createApp(ctx, {
        ...owner(),
        domain_id: freeDomainId,
        template_key: 'php',
        name: 'Blog',
        env: new Map(),
      }),
  },
};

it.each(Object.entries(creates))(
  '%s costs no more statements than its rules need',
  async (_, { most, run }) => {
    const { db, count } = counting();
    await run({ ...rig.operator, db });
    expect(count()).toBeLessThanOrEqual(most);
  },
);

function owner() {
  return { hosting_account_id: accountId };
}

/** Returns the rig's database and the number of statements sent through it. */
function counting() {
  let statements = 0;
  const db = rig.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements += 1;
      return result;
    },
  });
  return { db, count: () => statements };
}
