import { type Endpoint, type EndpointName, endpoints } from '@innkeeper/contract';
import { makeZip } from '@innkeeper/testkit';
import { expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

interface Write {
  id?: number | string;
  parts?: Record<string, string>;
  body?: object;
}

const PASSWORD = 'a password that nobody may read';
/** Texts that no row may contain: all confidential values of these requests, and their stored forms. */
const secrets = [PASSWORD, 'ik_', '$6$', '$argon2', 'signature', 'S2V5'];

const rig = useControlPlaneRig();
let serial = 0;

const limits = {
  disk_limit_mb: 2_000,
  bandwidth_limit_mb: 2_000,
  cpu_limit_percent: 50,
  ram_limit_mb: 256,
  max_domains: 4,
  max_databases: 3,
  max_apps: 3,
};

function newAccountBody() {
  serial += 1;
  const username = `audited${serial}`;
  const person = { username, name: 'Audited', email: `${username}@example.com`, password: PASSWORD };
  return { ...person, package_id: rig.packages.large };
}

/** Creates a record for a case over the API. */
async function made(name: EndpointName, body: object): Promise<number> {
  const reply = await rig.ask(name, { body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(endpoints[name].status);
  return reply.body.data.id;
}

const anAccount = () => made('createAccount', newAccountBody());
const aDomain = async () => {
  serial += 1;
  return made('createDomain', {
    hosting_account_id: await anAccount(),
    domain_name: `audited${serial}.example`,
  });
};
const aDatabase = async () => made('createDatabase', { hosting_account_id: await anAccount() });
const cronJob = { name: 'Nightly', schedule: '@daily', command: 'php cron.php' };
const aCronJob = async () => made('createCronJob', { hosting_account_id: await anAccount(), ...cronJob });
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----\n${'S2V5'.repeat(9)}\n-----END PRIVATE KEY-----\n`;
const app = {
  template_key: 'nodejs',
  name: 'Shop',
  env: { API_TOKEN: PASSWORD, GREETING: PASSWORD },
  git: { repository: 'git@git.example.com:a/b', deploy_key: PRIVATE_KEY },
};
const anApp = async () => made('createApp', { hosting_account_id: await anAccount(), ...app });
const archive = () => {
  const form = new FormData();
  form.set('archive', new Blob([new Uint8Array(makeZip([{ name: 'a.js', data: PASSWORD }]))]), 'a.zip');
  return form;
};
const anIp = { ip: '198.51.100.9' };
const suspended = async () => {
  const id = await anAccount();
  await rig.ask('suspendAccount', { id });
  return id;
};

/** For each write endpoint, a request that changes something. A new endpoint needs a line here. */
const writes: Partial<Record<EndpointName, () => Promise<Write>>> = {
  createAccount: async () => ({ body: newAccountBody() }),
  suspendAccount: async () => ({ id: await anAccount() }),
  unsuspendAccount: async () => ({ id: await suspended() }),
  setAccountPassword: async () => ({ id: await anAccount(), body: { password: PASSWORD } }),
  changeAccountPackage: async () => ({ id: await anAccount(), body: { package_id: rig.packages.small } }),
  setAccountResources: async () => ({ id: await anAccount(), body: { ...limits, terminal_access: true } }),
  terminateAccount: async () => ({ id: await anAccount() }),
  createLoginLink: async () => ({ id: await anAccount(), body: { target: 'domains' } }),
  createDomain: async () => ({
    body: { hosting_account_id: await anAccount(), domain_name: `new${++serial}.audited.example` },
  }),
  installSsl: async () => ({ id: await aDomain(), body: { email: 'tls@example.com' } }),
  removeDomain: async () => ({ id: await aDomain() }),
  createDatabase: async () => ({ body: { hosting_account_id: await anAccount(), name: 'Blog' } }),
  resetDatabasePassword: async () => ({ id: await aDatabase() }),
  allowDatabaseIp: async () => ({ id: await aDatabase(), body: anIp }),
  revokeDatabaseIp: async () => {
    const id = await aDatabase();
    await rig.ask('allowDatabaseIp', { id, body: anIp });
    return { id, parts: anIp };
  },
  removeDatabase: async () => ({ id: await aDatabase() }),
  createCronJob: async () => ({ body: { hosting_account_id: await anAccount(), ...cronJob } }),
  updateCronJob: async () => ({ id: await aCronJob(), body: { ...cronJob, enabled: false } }),
  createApp: async () => ({ body: { hosting_account_id: await anAccount(), ...app } }),
  deployZip: async () => ({ id: await anApp(), body: archive() }),
  deployGit: async () => ({ id: await anApp() }),
  removeApp: async () => ({ id: await anApp() }),
  removeCronJob: async () => ({ id: await aCronJob() }),
};

const table = (Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { method }]) => method !== 'GET',
);

it('every write endpoint has a case in this file', () => {
  expect(table.map(([name]) => name).filter((name) => writes[name] === undefined)).toEqual([]);
});

it.each(table.filter(([name]) => writes[name] !== undefined))(
  '%s writes one row with user, token, address and request, and without secrets',
  async (name, endpoint) => {
    const request = (await writes[name]?.()) ?? {};
    const last = await newestId();
    const reply = await rig.ask(name, { ...request, headers: { 'X-Forwarded-For': '198.51.100.7' } });
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([endpoint.status, expect.any(String)]);
    const rows = await rowsSince(last);
    expect(rows).toHaveLength(1);
    const admin = await rig.db
      .selectFrom('api_tokens')
      .innerJoin('users', 'users.id', 'api_tokens.user_id')
      .select(['users.id as user_id', 'api_tokens.id as token_id'])
      .where('users.username', '=', 'root-admin')
      .executeTakeFirstOrThrow();
    expect(rows[0]).toMatchObject({
      ...admin,
      address: '198.51.100.7',
      request_id: reply.headers.get('X-Request-Id'),
      account_id: expect.any(Number),
    });
    const details = JSON.parse(rows[0]?.details ?? '');
    // A login link changes nothing that could be recorded as before and after.
    if (name !== 'createLoginLink')
      expect(['before', 'after', 'replaced'].some((told) => told in details)).toBe(true);
  },
);

it('a refused write writes no row', async () => {
  const id = await anAccount();
  const last = await newestId();
  await rig.ask('changeAccountPackage', { id, body: { package_id: rig.packages.large } });
  await rig.ask('setAccountResources', { id, body: {} });
  await rig.ask('suspendAccount', { id, token: rig.resellerToken });
  expect(await rowsSince(last)).toEqual([]);
});

it('no row contains a secret', async () => {
  const rows = await rig.db.selectFrom('audit_log').selectAll().execute();
  expect(rows.length).toBeGreaterThan(table.length);
  const everything = JSON.stringify(rows);
  for (const secret of [...secrets, rig.adminToken, rig.resellerToken])
    expect(everything.includes(secret), secret).toBe(false);
});

async function newestId(): Promise<number> {
  const row = await rig.db
    .selectFrom('audit_log')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Without the rows of node reports, which arrive at any time. */
async function rowsSince(id: number) {
  const rows = await rig.db.selectFrom('audit_log').selectAll().where('id', '>', id).execute();
  return rows.filter(({ address }) => !address.startsWith('node:'));
}
