import { tmpdir } from 'node:os';
import { DomainError, panelPath } from '@innkeeper/domain';
import {
  type AccountView,
  builtInAppTemplates,
  createSealer,
  createSigner,
  listAppTemplates,
  noNameGuard,
  type OperatorContext,
  type PackageView,
  productBrand,
  type TokenIdentity,
  type UsageView,
} from '@innkeeper/services';
import { pino } from 'pino';
import type { Deps, Services } from '../src/deps.ts';
import { createTokenCache } from '../src/http/request/token-cache.ts';
import { createUploads } from '../src/http/request/uploads.ts';
import { createClientAddress, createIsSecure } from '../src/http/server/client-address.ts';
import { createMetrics } from '../src/http/server/metrics.ts';

type CronJobView = Awaited<ReturnType<Services['getCronJob']>>;
type DatabaseView = Awaited<ReturnType<Services['getDatabase']>>;
type AppView = Awaited<ReturnType<Services['getApp']>>;
type DomainView = Awaited<ReturnType<Services['getDomain']>>;

const now = new Date('2026-11-21T00:37:37Z');

export const accountView: AccountView = {
  id: 1,
  username: 'alice',
  name: 'Alice',
  email: 'alice@example.com',
  status: 'active',
  package: { id: 1, name: 'Starter', disk_mb: 1024 },
  package_id: 1,
  linux_user: 'alice',
  home_path: '/home/alice',
  disk_limit_mb: 1024,
  bandwidth_limit_mb: 10_240,
  cpu_limit_percent: 100,
  ram_limit_mb: 512,
  io_read_mbps: null,
  io_write_mbps: null,
  iops: null,
  max_processes: null,
  max_domains: 1,
  max_databases: 1,
  max_apps: 1,
  max_cron_jobs: 1,
  terminal_access: false,
  domains: [{ id: 1, domain_name: 'alice.example.com', is_primary: true }],
  apps_count: 0,
  apps_limit: 1,
  synced: true,
  created_at: now,
  updated_at: now,
};

export const domainView: DomainView = {
  id: 1,
  domain_name: 'alice.example.com',
  hosting_account_id: 1,
  hosting_account: { id: 1, username: 'alice' },
  is_primary: true,
  document_root: '/home/alice/domains/alice.example.com/public_html',
  status: 'active',
  status_reason: null,
  ssl: { status: 'none', issuer: null, expires_at: null, error: null },
  created_at: now,
  updated_at: now,
};
const { hosting_account: _, ...listedDomain } = domainView;

const databaseView: DatabaseView = {
  id: 1,
  hosting_account_id: 1,
  hosting_account: { id: 1, username: 'alice' },
  name: 'Blog',
  db_name: 'alice_blog',
  db_user: 'alice_blog',
  db_host: 'localhost',
  status: 'active',
  status_reason: null,
  allowed_ips: ['2001:db8::7'],
  created_at: now,
  updated_at: now,
};
const { hosting_account: _database, ...listedDatabase } = databaseView;

const cronJobView: CronJobView = {
  id: 1,
  hosting_account_id: 1,
  hosting_account: { id: 1, username: 'alice' },
  name: 'Nightly',
  schedule: '@daily',
  command: 'php x.php',
  enabled: true,
  synced: true,
  created_at: now,
  updated_at: now,
};
const { hosting_account: _cronJob, synced: _synced, ...listedCronJob } = cronJobView;
const appView: AppView = {
  id: 1,
  hosting_account_id: 1,
  name: 'Shop',
  template_key: 'nodejs',
  template_name: 'Node.js',
  status: 'installing',
  status_reason: null,
  domain: { id: 1, domain_name: 'alice.example.com' },
  node_version: '22',
  start_command: 'npm start',
  deploy_root: '/home/alice/apps/1/current',
  release: { id: 1, source: 'git', created_at: now },
  last_error: null,
  git: { repository: 'https://git.example.com/a/b', branch: 'main' },
  env_vars: [{ id: 1, key: 'API_TOKEN', value: null, is_secret: true }],
  created_at: now,
  updated_at: now,
};

const usageView: UsageView = {
  disk_used_mb: 10,
  disk_limit_mb: 1024,
  bandwidth_used_mb: 20,
  bandwidth_limit_mb: 10_240,
  cpu_used_percent: 5,
  cpu_limit_percent: 100,
  ram_used_mb: 30,
  ram_limit_mb: 512,
  measured_at: now,
};

const packageView: PackageView = {
  id: 1,
  name: 'Starter',
  slug: 'starter',
  disk_mb: 1024,
  bandwidth_mb: 10_240,
  cpu_percent: 100,
  ram_mb: 512,
  io_read_mbps: null,
  io_write_mbps: null,
  iops: null,
  max_processes: null,
  max_domains: 1,
  max_databases: 1,
  max_apps: 1,
  max_cron_jobs: 1,
  terminal_access: false,
  smtp_port_25: false,
  is_active: true,
};

/** Throws `not_found` for every id except 1: each kind has one visible record, with id 1. */
function onlyFirst<T>(id: number, view: T): T {
  if (id !== 1) throw new DomainError('not_found', 'Not found.');
  return view;
}

interface ListQuery {
  page: number;
  per_page: number;
  hosting_account_id?: number | undefined;
}

const listOf = <T>(item: T, { page, per_page, hosting_account_id = 1 }: ListQuery) => ({
  items: [onlyFirst(hosting_account_id, item)],
  page,
  per_page,
  total: 1,
});

const written = (account_id: number) =>
  onlyFirst(account_id, { view: { ...accountView, synced: false }, nodeId: 1, accountId: 1, generation: 2 });

const changedDatabase = (id: number) => ({ ...written(1), view: onlyFirst(id, databaseView) });

/** Tokens by their plain text. */
export const tokens: Record<string, TokenIdentity> = {
  admin: identity(1, ['*']),
  empty: identity(2, []),
  allowlisted: { ...identity(3, ['*']), allowedIps: ['198.51.100.0/24'] },
  reseller: { ...identity(4, ['*']), user: { id: 9, username: 'acme', role: 'reseller' } },
};

export function identity(id: number, abilities: TokenIdentity['token']['abilities']): TokenIdentity {
  return {
    user: { id: 1, username: 'root', role: 'admin' },
    token: { id, name: 'test', purpose: 'test', preset: 'custom', abilities },
    allowedIps: [],
  };
}

export const fakeServices: Services = {
  authenticateToken: async (_db, plain) => tokens[plain] ?? null,
  claimKey: async () => {
    throw new Error('keys are claimed where there is a database');
  },
  renewKey: async () => {},
  settleKey: async () => {},
  createAccount: async () => written(1),
  listAccounts: async (_ctx, { page, per_page }) => ({
    items: [
      {
        id: 1,
        username: 'alice',
        email: 'alice@example.com',
        status: 'active',
        package: { id: 1, name: 'Starter' },
        primary_domain: null,
        created_at: now,
      },
    ],
    page,
    per_page,
    total: 1,
  }),
  checkUsername: async (_ctx, { username }) => ({ username, available: true }),
  findCreateFailure: async () => ({ reason: 'A foreign user bob is in the way.', field: null }),
  getAccount: async (_ctx, { account_id }) => onlyFirst(account_id, accountView),
  suspendAccount: async (_ctx, { account_id }) => written(account_id),
  unsuspendAccount: async (_ctx, { account_id }) => written(account_id),
  setAccountPassword: async (_ctx, { account_id }) => written(account_id),
  changeAccountPackage: async (_ctx, { account_id }) => written(account_id),
  setAccountResources: async (_ctx, { account_id }) => written(account_id),
  terminateAccount: async (_ctx, { account_id }) => ({ ...written(account_id), view: {} }),
  createLoginLink: async (_ctx, { account_id, destination }) =>
    onlyFirst(account_id, {
      user: { id: 5, username: 'alice', email: 'alice@example.com' },
      destination,
      expires: 1_795_221_757,
      expires_in: 300,
      signature: 'f'.repeat(64),
    }),
  checkLoginLink: async (_visitor, brought) => ({ path: pathOfLink(brought), username: 'alice' }),
  findSession: async () => null,
  followLoginLink: async (_visitor, brought) => ({
    session: { id: 1, token: 'plain-token', expires_at: now },
    path: pathOfLink(brought),
  }),
  getUsage: async (_ctx, { account_id }) => onlyFirst(account_id, usageView),
  getBulkUsage: async (_ctx, { account_ids }) => ({
    data: { 1: usageView },
    meta: {
      requested: account_ids.length,
      returned: 1,
      missing_ids: account_ids.filter((id) => id !== 1),
    },
  }),
  listDomains: async (_ctx, query) => listOf(listedDomain, query),
  createDomain: async (_ctx, { hosting_account_id }) => ({
    ...written(hosting_account_id),
    view: domainView,
  }),
  getDomain: async (_ctx, { domain_id }) => onlyFirst(domain_id, domainView),
  installSsl: async (_ctx, { domain_id }) => ({ ...written(1), view: onlyFirst(domain_id, domainView) }),
  removeDomain: async (_ctx, { domain_id }) => ({ ...written(1), view: onlyFirst(domain_id, {}) }),
  listAppTemplates,
  listDatabases: async (_ctx, query) => listOf(listedDatabase, query),
  createDatabase: async (_ctx, { hosting_account_id }) => ({
    ...written(hosting_account_id),
    view: databaseView,
  }),
  getDatabase: async (_ctx, { database_id }) => onlyFirst(database_id, databaseView),
  resetDatabasePassword: async (_ctx, { database_id }) => changedDatabase(database_id),
  allowDatabaseIp: async (_ctx, { database_id }) => changedDatabase(database_id),
  revokeDatabaseIp: async (_ctx, { database_id }) => changedDatabase(database_id),
  removeDatabase: async (_ctx, { database_id }) => changedDatabase(database_id),
  listCronJobs: async (_ctx, query) => listOf(listedCronJob, query),
  createCronJob: async (_ctx, { hosting_account_id }) => ({
    ...written(hosting_account_id),
    view: cronJobView,
  }),
  getCronJob: async (_ctx, { cron_job_id }) => onlyFirst(cron_job_id, cronJobView),
  updateCronJob: async (_ctx, { cron_job_id }) => ({
    ...written(1),
    view: onlyFirst(cron_job_id, cronJobView),
  }),
  removeCronJob: async (_ctx, { cron_job_id }) => ({ ...written(1), view: onlyFirst(cron_job_id, {}) }),
  listApps: async (_ctx, query) => {
    const { id, name, template_key, template_name, status, status_reason, created_at, updated_at } = appView;
    const item = { id, name, template_key, template_name, status, status_reason, created_at, updated_at };
    return listOf({ ...item, hosting_account_id: 1 }, query);
  },
  requireInstall: async (_ctx, { hosting_account_id }) => onlyFirst(hosting_account_id, undefined),
  createApp: async (_ctx, { hosting_account_id }) => ({ ...written(hosting_account_id), view: appView }),
  getApp: async (_ctx, { app_id }) => onlyFirst(app_id, appView),
  removeApp: async (_ctx, { app_id }) => ({ ...written(1), view: onlyFirst(app_id, {}) }),
  requireZipDeploy: async (_ctx, { app_id }) => onlyFirst(app_id, { account_id: app_id } as never),
  deployZip: async (_ctx, { app_id }) => ({ ...written(1), view: onlyFirst(app_id, appView) }),
  deployGit: async (_ctx, { app_id }) => ({ ...written(1), view: onlyFirst(app_id, appView) }),
  listPackages: async () => [packageView],
  getPackage: async (_ctx, { package_id }) => onlyFirst(package_id, packageView),
};

function pathOfLink({ user_id, link }: Parameters<Services['followLoginLink']>[1]): string {
  if (user_id === 1 && link?.signature === 'f'.repeat(64)) return panelPath(link.destination);
  throw new DomainError('forbidden', 'Invalid signature.');
}

export interface FakeOptions extends Partial<Omit<Deps, 'services'>> {
  services?: Partial<Services>;
}

/** Returns all dependencies of the HTTP layer, without a database, a queue or a node. */
export function fakeDeps({ services: replaced, ...rest }: FakeOptions = {}): Deps {
  const services = { ...fakeServices, ...replaced };
  const db = undefined as unknown as OperatorContext['db'];
  return {
    services,
    db,
    sealer: createSealer(() => {
      throw new Error('nothing is sealed here');
    }),
    appTemplates: builtInAppTemplates,
    names: noNameGuard,
    openNodeChannel: async () => {
      throw new Error('no channel is opened here');
    },
    smtpPorts: [587],
    brands: { find: async () => productBrand, forget: () => {} },
    signer: createSigner(() => {
      throw new Error('nothing is signed here');
    }),
    publicUrl: 'https://panel.example.com',
    warnings: [],
    join: { control: 'panel.example.com:8444', tokenFor: () => 'token' },
    uploads: createUploads({
      dir: tmpdir(),
      maxBytes: 2 ** 20,
      timeoutMs: 5_000,
      atOnce: 100,
      minBytesPerSecond: 0,
    }),
    tokens: createTokenCache((plain) => services.authenticateToken(db, plain)),
    tellTokenRevoked: () => {},
    noteTokenUse: () => {},
    clientAddress: createClientAddress([]),
    rateLimiter: { hit: async (_bucket, limit) => ({ limit, remaining: limit - 1, refused: undefined }) },
    rateLimits: { user: 60, health: 60, sso: 30 },
    countAttempt: async () => {},
    countWrite: async () => {},
    isSecure: createIsSecure(['192.0.2.9']),
    wakeNode: () => {},
    askNode: async () => undefined,
    refreshUsage: async () => false,
    waitForObserved: async () => ({ outcome: 'applied' }),
    checkReadiness: async () => ({
      status: 'ok',
      checks: { database: 'ok', queue: 'ok', nodes: { total: 1, online: 1 } },
    }),
    metrics: createMetrics({ isConnected: () => true }),
    logger: pino({ level: 'silent' }),
    now: () => now,
    applyTimeoutMs: 1_000,
    requestTimeoutMs: 5_000,
    ...rest,
  };
}
