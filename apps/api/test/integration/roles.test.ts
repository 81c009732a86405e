import { type Endpoint, type EndpointName, endpoints } from '@innkeeper/contract';
import type { StaffRole } from '@innkeeper/domain';
import { createPanel } from '@innkeeper/panel';
import { createAdmin, createToken } from '@innkeeper/services';
import { makeZip } from '@innkeeper/testkit';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { goodFields } from '../good-fields.ts';
import { STAFF_PASSWORD as password, useControlPlaneRig } from './control-plane-rig.ts';
import { signedIn } from './customer.ts';
import type { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
const tokens = {} as Record<StaffRole, string>;
const visitors = {} as Record<StaffRole, PageVisitor>;
/** The ids of one record of each kind, by the first word of its paths. */
const ids: Record<string, number> = {};

beforeAll(async () => {
  for (const role of ['support', 'read_only'] as const) {
    const username = role.replace('_', '-');
    await createAdmin(rig.operator, { username, email: `${username}@panel.test`, password });
    const { plain_token } = await createToken(rig.operator, { user: username, name: 't', abilities: ['*'] });
    await rig.db.updateTable('users').set({ role }).where('username', '=', username).execute();
    tokens[role] = plain_token;
    visitors[role] = await signedIn(rig, username);
  }
  const { id } = await rig.createAccount({ username: 'customer' });
  const body = { hosting_account_id: id };
  const made = async (name: EndpointName, more: object) => {
    const reply = await rig.ask(name, { body: { ...body, ...more } });
    if (reply.body.data === undefined) throw new Error(`${name}: ${JSON.stringify(reply.body)}`);
    return reply.body.data.id;
  };
  const domain_id = await made('createDomain', { domain_name: 'shop.example.com' });
  Object.assign(ids, {
    accounts: id,
    domains: domain_id,
    apps: await made('createApp', { template_key: 'static', name: 'Site', domain_id }),
    databases: await made('createDatabase', { name: 'Blog' }),
    'cron-jobs': await made('createCronJob', { schedule: '@daily', command: 'php x.php', name: 'Nightly' }),
    packages: rig.packages.small,
    nodes: 1,
    resellers: rig.resellerId,
  });
});

/** What writes of other kinds change: counters, sessions that are used, and what servers report. */
const moving = new Set([
  'rate_limits',
  'sessions',
  'idempotency_keys',
  'nodes',
  'node_sessions',
  'usage_snapshots',
  'sign_in_failures',
]);

/** A checksum of each table, tokens without their last use. */
async function state(): Promise<string> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = database() and table_type = 'BASE TABLE' order by 1`.execute(rig.db);
  const tables = rows.map(({ name }) => name).filter((name) => !moving.has(name) && name !== 'api_tokens');
  const { rows: sums } = await sql`checksum table ${sql.join(tables.map((name) => sql.table(name)))}`.execute(
    rig.db,
  );
  const live = await rig.db.selectFrom('api_tokens').select(['id', 'abilities', 'revoked_at']).execute();
  return JSON.stringify([sums, live]);
}

/**
 * Expects that a request changes nothing. Background work of the control plane may write at the same moment, so a change
 * counts when it comes with each of three tries.
 */
async function expectUnchanged(attempt: () => Promise<void>): Promise<void> {
  let [before, after] = ['', ''];
  for (let tries = 1; tries <= 3; tries += 1) {
    before = await state();
    await attempt();
    after = await state();
    if (after === before) return;
  }
  expect(after).toBe(before);
}

const writes = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { method, access }]) => method !== 'GET' && access !== 'public' && access !== 'signed',
);
/** The reads of the REST API that write: none. The writes that support may make. */
const ofSupport: readonly EndpointName[] = [
  'createLoginLink',
  'installSsl',
  'setAccountPassword',
  'suspendAccount',
  'unsuspendAccount',
];

/** Sends a valid request for the records of the test. */
async function send(name: EndpointName, token: string) {
  const { path } = endpoints[name];
  const { body, parts, query, headers } = goodFields[name] ?? {};
  const own = typeof body === 'object' ? { ...body, ...('hosting_account_id' in body && owner()) } : body;
  const zip = new FormData();
  zip.set('archive', new Blob([new Uint8Array(makeZip([{ name: 'index.html', data: 'hello' }]))]), 'a.zip');
  const isUpload = 'upload' in endpoints[name];
  return await rig.ask(name, {
    id: ids[path.split('/')[1] ?? ''] ?? 1,
    token,
    ...(isUpload ? { body: zip } : own === undefined ? {} : { body: fitted(name, own) }),
    ...(parts && { parts }),
    ...(query && { query }),
    ...(headers && !isUpload && { headers }),
  });
}

const owner = () => ({ hosting_account_id: ids.accounts });

/** Fields that the records of the test accept. */
function fitted(name: EndpointName, body: object | string): object | string {
  if (name === 'createDomain') return { ...owner(), domain_name: 'second.example.com' };
  if (name === 'createApp')
    return { ...owner(), template_key: 'static', name: 'Second', domain_id: ids.domains };
  if (name === 'createAccount') return rig.accountFields({ username: 'another' });
  return body;
}

const refused = [403, { message: 'This action is unauthorized.' }];

describe('over the REST API', () => {
  it.each(writes)('%s is refused to read only, and changes nothing', async (name) => {
    await expectUnchanged(async () => {
      const { status, body } = await send(name, tokens.read_only);
      expect([status, body]).toEqual(refused);
    });
  });

  it.each(writes.filter(([name]) => !ofSupport.includes(name)))('%s is refused to support', async (name) => {
    await expectUnchanged(async () => {
      const { status, body } = await send(name, tokens.support);
      expect([status, body]).toEqual(refused);
    });
  });

  it.each(ofSupport)('%s is allowed to support', async (name) => {
    expect((await send(name, tokens.support)).status).toBe(endpoints[name].status);
  });

  it('a token of staff reads everything, and calls its owner an admin', async () => {
    for (const token of Object.values(tokens)) {
      expect((await rig.ask('getAccount', { id: ids.accounts ?? 0, token })).status).toBe(200);
      expect((await rig.ask('me', { token })).body.user.role).toBe('admin');
    }
  });
});

const routes = createPanel({} as never).routes.filter(
  ({ path, method }, index, all) =>
    !path.endsWith('*') &&
    method !== 'ALL' &&
    all.findIndex((other) => other.path === path && other.method === method) === index,
);
/** Forms of visitors, for the own sign-in, and for how the panel looks in this browser. */
const own = /^\/(?:login|logout|return|theme|language|password|profile|security\/(?!tokens)|accounts\/link)/;
const forms = routes.filter(({ method, path }) => method === 'POST' && !own.test(path));

/** The path with ids of the records of the test. */
function filled(path: string): string {
  const id = ids[path.split('/')[1] ?? ''] ?? 1;
  return path.replace(/:name\{.*\}/, 'acme').replaceAll(/:\w+(?:\{(?:[^{}]|\{[^}]*\})*\})?/g, String(id));
}

/** Paths of forms that support may send. */
const formsOfSupport = [
  '/accounts/:id/log-in',
  '/accounts/:id/password',
  '/accounts/:id/retry',
  '/accounts/:id/second-factor/reset',
  '/accounts/:id/second-factor/unlock',
  '/accounts/:id/suspend',
  '/accounts/:id/unsuspend',
  '/accounts/many/suspend',
  '/accounts/many/unsuspend',
];

describe('in the panel', () => {
  it('there are forms to try', () => expect(forms.length).toBeGreaterThan(50));

  it.each(forms)('the form $path is refused to read only, and changes nothing', async ({ path }) => {
    const visitor = visitors.read_only;
    await visitor.open('/accounts');
    await expectUnchanged(async () => {
      const { status } = await visitor.send(filled(path), { username: 'customer', confirm: 'customer' });
      expect([403, 404]).toContain(status);
    });
  });

  it('support may send exactly its forms', async () => {
    const visitor = visitors.support;
    const sent: string[] = [];
    for (const { path } of forms) {
      if (/log-in$/.test(path)) continue;
      await visitor.open('/accounts');
      const { status } = await visitor.send(filled(path), {});
      if (status !== 403 && status !== 404) sent.push(path.replaceAll(/\{(?:[^{}]|\{[^}]*\})*\}/g, ''));
    }
    expect(sent.sort()).toEqual(formsOfSupport.filter((path) => !path.endsWith('log-in')));
    expect((await visitor.open(`/accounts/${ids.accounts}`)).status).toBe(200);
    const inside = await visitor.send(`/accounts/${ids.accounts}/log-in`);
    expect([inside.status, inside.path]).toEqual([200, expect.stringMatching(/^\/as\/\d+\/$/)]);
    await visitor.send(`${inside.path}return`);
  });

  it('staff sees the pages of all, and no button that its role may not use', async () => {
    const { text } = await visitors.read_only.open(`/accounts/${ids.accounts}`);
    for (const button of ['Suspend', 'Terminate', 'Sign in as customer', 'Change limits', 'Set password'])
      expect(text).not.toContain(button);
    for (const path of ['/accounts', '/nodes', '/packages', '/resellers', '/resellers/acme', '/audit'])
      for (const visitor of Object.values(visitors)) expect((await visitor.open(path)).status).toBe(200);
    for (const path of ['/accounts/new', '/nodes/new', '/packages/new', '/resellers/new', '/security/tokens'])
      expect((await visitors.read_only.open(path)).status).toBe(403);
    expect((await visitors.read_only.open('/accounts')).html).not.toContain('href="/accounts/new"');
  });
});
