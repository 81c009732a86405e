import {
  checkLoginLink,
  createLoginLink,
  findSession,
  followLoginLink,
  type LoginLink,
  setAccountPassword,
  setAccountResources,
  suspendAccount,
  terminateAccount,
  unsuspendAccount,
} from '@innkeeper/services';
import { createTestDatabase, type TestDatabase } from '@innkeeper/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  actor,
  addOnlineNode,
  addPackage,
  addReseller,
  auditOf,
  open,
  ownLimits,
  reportNewest,
  rowOf,
} from './fixtures.ts';
import { signer, visitor } from './panel-users.ts';
import { insertDomainRecord, limits, refusalOf } from './records.ts';

let database: TestDatabase;
let ctx: ReturnType<typeof actor> & { signer: typeof signer };

beforeAll(async () => {
  database = await createTestDatabase();
  await addOnlineNode(database.db);
  await addPackage(database.db, { is_internal: true });
  ctx = { ...actor(database.db), signer };
});
afterAll(() => database.drop());

const dashboard = { target: 'dashboard', app_id: null, domain_id: null } as const;
const tenant = async () => (await open(ctx, ownLimits)).view;
const linkFor = (account_id: number, destination: Partial<LoginLink['destination']> = {}) =>
  createLoginLink(ctx, { account_id, destination: { ...dashboard, ...destination } });
const follow = (link: LoginLink, at?: Date) =>
  followLoginLink(visitor(database.db, at), { user_id: link.user.id, link });
const forbidden = (message: string) => ({ code: 'forbidden', message });
const addApp = async (account_id: number) => {
  const now = new Date();
  const app = { account_id, name: 'Blog', template_key: 'php', status: 'running' as const, created_at: now };
  const { insertId } = await database.db
    .insertInto('apps')
    .values({ ...app, updated_at: now })
    .executeTakeFirstOrThrow();
  return Number(insertId);
};

test('a link signs the end user in as often as it is followed, each time with another session', async () => {
  const account = await tenant();
  const link = await linkFor(account.id, { target: 'files' });
  expect(link).toMatchObject({ user: { username: account.username, email: account.email }, expires_in: 300 });
  const [first, second] = [await follow(link), await follow(link)];
  expect(first.path).toBe('/files');
  expect(first.session.token).not.toBe(second.session.token);
  for (const { session } of [first, second])
    expect(await findSession(database.db, { token: session.token, now: new Date() })).toMatchObject({
      user: { id: link.user.id, username: account.username, role: 'user' },
      account_id: account.id,
      session: { method: 'login-link' },
    });
  expect(await auditOf(database.db, account.id)).toEqual([
    'account.create',
    'account.login-link',
    'session.create',
    'session.create',
  ]);
});

test('a session says when it was an operator who followed the link', async () => {
  const account = await tenant();
  const link = await linkFor(account.id, {});
  const { session } = await followLoginLink(visitor(database.db), {
    user_id: link.user.id,
    link,
    by_operator: true,
  });
  const identity = await findSession(database.db, { token: session.token, now: new Date() });
  expect(identity).toMatchObject({ account_id: account.id, session: { method: 'operator' } });
});

test('a link that is only looked at says where it leads, or why not, and opens no session', async () => {
  const account = await tenant();
  const link = await linkFor(account.id, { target: 'files' });
  const look = () => checkLoginLink(visitor(database.db), { user_id: link.user.id, link });
  expect(await look()).toEqual({ path: '/files', username: account.username });
  const sessions = database.db.selectFrom('sessions').select('id').where('user_id', '=', link.user.id);
  expect(await sessions.execute()).toEqual([]);
  expect(await auditOf(database.db, account.id)).toEqual(['account.create', 'account.login-link']);
  await suspendAccount(ctx, { account_id: account.id });
  expect(await refusalOf(look())).toMatchObject(forbidden('This account is suspended.'));
});

test('no secret of a link or a session is in the database', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const { session } = await follow(link);
  const rows = [
    await database.db.selectFrom('audit_log').selectAll().execute(),
    await database.db.selectFrom('sessions').selectAll().execute(),
  ];
  const text = JSON.stringify(rows);
  expect(text).not.toContain(link.signature);
  expect(text).not.toContain(session.token);
});

test('a link ends with its 300 seconds, and not before', async () => {
  const link = await linkFor((await tenant()).id);
  const end = link.expires * 1_000;
  expect(end - Date.now()).toBeGreaterThan(295_000);
  expect(end - Date.now()).toBeLessThanOrEqual(300_000);
  expect((await follow(link, new Date(end - 1))).path).toBe('/');
  expect(await refusalOf(follow(link, new Date(end)))).toMatchObject(forbidden('Invalid signature.'));
});

test('a link that was changed in anything is none', async () => {
  const account = await tenant();
  const other = await tenant();
  const domain_id = await insertDomainRecord(database.db, {
    account_id: account.id,
    domain_name: `${account.username}.example.com`,
  });
  const link = await linkFor(account.id, { target: 'domains', domain_id });
  const victim = (await linkFor(other.id)).user.id;
  const changed: Parameters<typeof followLoginLink>[1][] = [
    { user_id: victim, link },
    { user_id: 0, link },
    { user_id: link.user.id, link: null },
    { user_id: link.user.id, link: { ...link, expires: link.expires + 1 } },
    { user_id: link.user.id, link: { ...link, signature: `${link.signature.slice(0, -1)}g` } },
    { user_id: link.user.id, link: { ...link, signature: '' } },
    ...[
      { target: 'terminal' as const },
      { domain_id: null },
      { domain_id: domain_id + 1 },
      { app_id: 1 },
    ].map((change) => ({
      user_id: link.user.id,
      link: { ...link, destination: { ...link.destination, ...change } },
    })),
  ];
  for (const brought of changed)
    expect(await refusalOf(followLoginLink(visitor(database.db), brought))).toMatchObject(
      forbidden('Invalid signature.'),
    );
  expect((await follow(link)).path).toBe(`/domains/${domain_id}`);
});

describe('an app or a domain', () => {
  test('of another account, or none, is not there', async () => {
    const account = await tenant();
    const other = await tenant();
    const domain_name = `${other.username}.example.com`;
    const foreignDomain = await insertDomainRecord(database.db, { account_id: other.id, domain_name });
    for (const destination of [
      { target: 'app', app_id: await addApp(other.id) },
      { target: 'app', app_id: 424_242 },
      { target: 'files', app_id: -1 },
      { target: 'domains', domain_id: foreignDomain },
      { target: 'dashboard', domain_id: 424_242 },
    ] as const)
      expect(await refusalOf(linkFor(account.id, destination)), JSON.stringify(destination)).toMatchObject({
        code: 'not_found',
      });
    const own = await addApp(account.id);
    expect((await follow(await linkFor(account.id, { target: 'app', app_id: own }))).path).toBe(
      `/apps/${own}`,
    );
  });

  test('that went since is no place to go to', async () => {
    const account = await tenant();
    const app_id = await addApp(account.id);
    const link = await linkFor(account.id, { target: 'app', app_id });
    await database.db.deleteFrom('apps').where('id', '=', app_id).execute();
    expect(await refusalOf(follow(link))).toMatchObject(forbidden('What this link leads to is gone.'));
  });
});

test('the terminal is for accounts that have it, when the link is made and when it is followed', async () => {
  const account = await tenant();
  const refused = forbidden('Terminal access is disabled for this account.');
  expect(await refusalOf(linkFor(account.id, { target: 'terminal' }))).toMatchObject(refused);
  const { max_cron_jobs: _, ...resources } = limits;
  const set = (terminal_access: boolean) =>
    setAccountResources(ctx, { account_id: account.id, ...resources, terminal_access });
  await set(true);
  const link = await linkFor(account.id, { target: 'terminal' });
  expect((await follow(link)).path).toBe('/terminal');
  await set(false);
  expect(await refusalOf(follow(link))).toMatchObject(refused);
});

test('a suspended account gets no link, and links that it has stop until it is back', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const { session } = await follow(link);
  const signedIn = () => findSession(database.db, { token: session.token, now: new Date() });
  await suspendAccount(ctx, { account_id: account.id });
  const refused = forbidden('This account is suspended.');
  expect(await refusalOf(linkFor(account.id))).toMatchObject(refused);
  expect(await refusalOf(follow(link))).toMatchObject(refused);
  expect(await signedIn()).toBe(null);
  await unsuspendAccount(ctx, { account_id: account.id });
  expect(await signedIn(), 'a session does not come back').toBe(null);
  expect((await follow(link)).path).toBe('/');
});

test('an account that goes gets no link, and once it is gone its links lead nowhere', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const { session } = await follow(link);
  await terminateAccount(ctx, { account_id: account.id });
  const refused = forbidden('This account is being terminated.');
  expect(await refusalOf(linkFor(account.id))).toMatchObject(refused);
  expect(await refusalOf(follow(link))).toMatchObject(refused);
  expect(await findSession(database.db, { token: session.token, now: new Date() })).toBe(null);
  await reportNewest(database.db, account.id, { outcome: 'absent' });
  expect(await refusalOf(follow(link))).toMatchObject(forbidden('This account is gone.'));
  expect(await refusalOf(linkFor(account.id))).toMatchObject({ code: 'not_found' });
});

test('a create that its node refuses ends the sessions too', async () => {
  const account = await tenant();
  await follow(await linkFor(account.id));
  const { user_id } = await rowOf(database.db, account.id);
  await reportNewest(database.db, account.id, { outcome: 'failed' });
  const left = await database.db.selectFrom('sessions').select('id').where('user_id', '=', user_id).execute();
  expect(left).toEqual([]);
});

test('a new password ends every session, and links stay good', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const { session } = await follow(link);
  await setAccountPassword(ctx, { account_id: account.id, password: 'another horse' });
  expect(await findSession(database.db, { token: session.token, now: new Date() })).toBe(null);
  expect((await follow(link)).path).toBe('/');
});

test('of 16 who follow a link while the account is suspended nobody stays signed in', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const [, ...followed] = await Promise.allSettled([
    suspendAccount(ctx, { account_id: account.id }),
    ...Array.from({ length: 16 }, () => follow(link)),
  ]);
  expect(followed).toHaveLength(16);
  for (const outcome of followed)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'forbidden' });
    else
      expect(
        await findSession(database.db, { token: outcome.value.session.token, now: new Date() }),
      ).toBeNull();
  const rows = database.db.selectFrom('sessions').select('id').where('user_id', '=', link.user.id);
  expect(await rows.where('expires_at', '>', new Date()).execute()).toEqual([]);
});

test('a reseller makes links for its own accounts alone', async () => {
  const reseller = { ...(await addReseller(database.db)), signer };
  const package_id = await addPackage(database.db, { resellers: [reseller.username] });
  const own = await open(reseller, { package_id });
  const ask = (account_id: number) => createLoginLink(reseller, { account_id, destination: dashboard });
  expect((await ask(own.accountId)).user.username).toBe(own.view.username);
  expect(await refusalOf(ask((await tenant()).id))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(ask(424_242))).toMatchObject({ code: 'not_found' });
});

test('a panel login that is missing is made, with a password that nobody knows', async () => {
  const account = await tenant();
  const { user_id } = await rowOf(database.db, account.id);
  await database.db.deleteFrom('users').where('id', '=', user_id).execute();
  const stale = await linkFor(account.id);
  expect(stale.user).toEqual({ id: user_id, username: account.username, email: account.email });
  expect((await follow(stale)).path).toBe('/');
  const row = await database.db.selectFrom('users').selectAll().where('id', '=', user_id).executeTakeFirst();
  expect(row).toMatchObject({ username: account.username, role: 'user' });
  await terminateAccount(ctx, { account_id: account.id });
  await reportNewest(database.db, account.id, { outcome: 'absent' });
  const names = database.db
    .selectFrom('usernames')
    .select('username')
    .where('username', '=', account.username);
  expect(await names.execute(), 'the name is free again').toEqual([]);
});
