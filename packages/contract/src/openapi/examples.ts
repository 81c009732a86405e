import { type AccountLimits, accountLimits, packageLimitsOf, settableLimits } from '@innkeeper/domain';
import type { EndpointName } from '../endpoints.ts';

interface Example {
  request?: object;
  response?: object;
}

const created = { created_at: '2026-11-21T00:37:37.000000Z', updated_at: '2026-11-21T00:37:37.000000Z' };
const hosting_account = { id: 17, username: 'alice' };
const exampleLimits: Partial<AccountLimits> = {
  disk_limit_mb: 5120,
  bandwidth_limit_mb: 51_200,
  cpu_limit_percent: 100,
  ram_limit_mb: 1024,
  io_read_mbps: 50,
  io_write_mbps: 50,
  max_processes: 100,
  max_domains: 5,
  max_databases: 3,
  max_apps: 2,
  max_cron_jobs: 5,
};
/** Limits without an example are unlimited, or have their minimum. */
const limits = accountLimits(
  ({ name, unlimitable, min }) => exampleLimits[name] ?? (unlimitable ? null : min),
);
const ownLimits = Object.fromEntries(settableLimits.map(({ name }) => [name, limits[name]]));

const account = {
  id: 17,
  username: 'alice',
  name: 'Alice',
  email: 'alice@example.com',
  status: 'active',
  package: { id: 1, name: 'Starter', disk_mb: 5120 },
  package_id: 1,
  linux_user: 'alice',
  home_path: '/home/alice',
  ...limits,
  terminal_access: false,
  domains: [{ id: 31, domain_name: 'alice.example.com', is_primary: true }],
  apps_count: 0,
  apps_limit: 2,
  synced: true,
  ...created,
};

const starter = {
  id: 1,
  name: 'Starter',
  slug: 'starter',
  ...packageLimitsOf(limits),
  terminal_access: false,
  smtp_port_25: false,
  is_active: true,
};

const domain = {
  id: 31,
  domain_name: 'alice.example.com',
  hosting_account_id: 17,
  is_primary: true,
  document_root: '/home/alice/domains/alice.example.com/public_html',
  status: 'active',
  status_reason: null,
  ssl: { status: 'none', issuer: null, expires_at: null, error: null },
  ...created,
  hosting_account,
};

const database = {
  id: 8,
  hosting_account_id: 17,
  name: 'shop',
  db_name: 'alice_shop',
  db_user: 'alice_shop',
  db_host: 'localhost',
  status: 'pending',
  status_reason: null,
  allowed_ips: null,
  ...created,
  hosting_account,
};

const cronJob = {
  id: 4,
  hosting_account_id: 17,
  name: 'Clean up',
  schedule: '15 3 * * *',
  command: 'php /home/alice/clean-up.php',
  enabled: true,
  ...created,
  hosting_account,
  synced: true,
};

const usage = {
  disk_used_mb: 812,
  disk_limit_mb: 5120,
  bandwidth_used_mb: 1204,
  bandwidth_limit_mb: 51_200,
  cpu_used_percent: 3,
  cpu_limit_percent: 100,
  ram_used_mb: 96,
  ram_limit_mb: 1024,
  measured_at: '2026-11-21T00:37:37.000000Z',
};

/** Examples for the most frequent requests. A test checks each one against the contract. */
export const examples: Partial<Record<EndpointName, Example>> = {
  me: {
    response: {
      status: 'ok',
      authenticated: true,
      user: { id: 2, username: 'acme', role: 'reseller' },
      token: { id: 5, name: 'billing', purpose: 'api', preset: 'full', abilities: ['*'] },
    },
  },
  listPackages: { response: { data: [starter] } },
  getPackage: { response: { data: starter } },
  createAccount: {
    request: {
      username: 'alice',
      name: 'Alice',
      email: 'alice@example.com',
      password: 'correct horse battery staple',
      package_id: 1,
    },
    response: { data: account },
  },
  getAccount: { response: { data: account } },
  suspendAccount: { response: { data: { ...account, status: 'suspended' } } },
  unsuspendAccount: { response: { data: account } },
  setAccountPassword: { request: { password: 'correct horse battery staple' } },
  changeAccountPackage: { request: { package_id: 2 } },
  setAccountResources: { request: { ...ownLimits, terminal_access: false } },
  createLoginLink: {
    request: { target: 'domains', domain_id: 31 },
    response: {
      data: {
        login_url:
          'https://panel.example.com:8443/api/v1/sso/login/23?expires=1795221757&target=domains&domain_id=31&signature=0b1f6c',
        expires_in: 300,
        user_username: 'alice',
        user_email: 'alice@example.com',
        target: 'domains',
      },
    },
  },
  terminateAccount: { response: { message: 'Termination queued' } },
  getUsage: { response: { data: usage } },
  getBulkUsage: {
    response: { data: { 17: usage }, meta: { requested: 2, returned: 1, missing_ids: [99] } },
  },
  createDomain: {
    request: { hosting_account_id: 17, domain_name: 'alice.example.com', is_primary: true },
    response: { data: domain },
  },
  installSsl: { request: { email: 'alice@example.com' } },
  createApp: {
    request: {
      hosting_account_id: 17,
      template_key: 'nodejs',
      name: 'Shop',
      domain_id: 31,
      node_version: '22',
      start_command: 'node server.js',
      env: { NODE_ENV: 'production' },
    },
  },
  createDatabase: { request: { hosting_account_id: 17, name: 'shop' }, response: { data: database } },
  allowDatabaseIp: { request: { ip: '192.0.2.44' } },
  createCronJob: {
    request: {
      hosting_account_id: 17,
      name: 'Clean up',
      schedule: '15 3 * * *',
      command: 'php /home/alice/clean-up.php',
    },
    response: { data: cronJob },
  },
  updateCronJob: {
    request: { schedule: '0 4 * * *', command: 'php /home/alice/clean-up.php', enabled: false },
  },
};
