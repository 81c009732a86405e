import { countHits } from '@innkeeper/db';
import {
  checkUsername,
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
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Panel, startPanel } from './panel.ts';

let panel: Panel;
let accountId: number;
let domainId: number;
let databaseId: number;
let cronJobId: number;
let appId: number;
beforeAll(async () => {
  panel = await startPanel();
  const account = {
    username: 'counted',
    name: 'C',
    email: 'c@example.com',
    password: 'correct horse',
    package_id: panel.packages.small,
  };
  accountId = (await panel.ask('createAccount', { body: account })).body.data.id;
  const domain = { hosting_account_id: accountId, domain_name: 'counted.example.com' };
  domainId = (await panel.ask('createDomain', { body: domain })).body.data.id;
  const owner = { hosting_account_id: accountId };
  databaseId = (await panel.ask('createDatabase', { body: owner })).body.data.id;
  const job = { ...owner, schedule: '@daily', command: 'php tick.php' };
  cronJobId = (await panel.ask('createCronJob', { body: job })).body.data.id;
  const app = { ...owner, template_key: 'php', domain_id: domainId, name: 'Shop', env: { A: '1', B: '2' } };
  appId = (await panel.ask('createApp', { body: app })).body.data.id;
});
afterAll(() => panel?.stop());

const page = { page: 1, per_page: 25 };
const reads: Record<string, (ctx: OperatorContext) => Promise<unknown>> = {
  listPackages: (ctx) => listPackages(ctx),
  getPackage: (ctx) => getPackage(ctx, { package_id: panel.packages.small }),
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
    let statements = 0;
    const db = panel.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        return result;
      },
    });
    await countHits(db, { bucket: 'user:1', hits: 1, limit: 60 });
    expect(statements).toBe(1);
    await reads[name]?.({ ...panel.operator, db });
    expect(statements).toBeGreaterThan(1);
    expect(statements).toBeLessThanOrEqual(2);
  },
);
