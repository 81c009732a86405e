import {
  checkLoginLink,
  createAdmin,
  createLoginLink,
  endSession,
  findSession,
  followLoginLink,
  type LoginLink,
  setAccountPassword,
  setAccountResources,
  signIn,
  suspendAccount,
  terminateAccount,
  unsuspendAccount,
} from '@innkeeper/services';
import { beforeAll, describe, expect, test } from 'vitest';
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
import { signedIn, signer, visitor } from './panel-users.ts';
import {
  fresh,
  insertAppRecord,
  insertDomainRecord,
  limits,
  ownDatabase,
  rowsWhere,
  rowWhere,
} from './records.ts';
import { expectRefusal, forbidden } from './refusals.ts';

const database = ownDatabase();
let ctx: ReturnType<typeof actor> & { signer: typeof signer };

beforeAll(async () => {
  await addOnlineNode(database.db);
  await addPackage(database.db, { is_internal: true });
  ctx = { ...actor(database.db), signer };
});

const dashboard = { target: 'dashboard', app_id: null, domain_id: null } as const;
const tenant = async () => (await open(ctx, ownLimits)).view;
const linkFor = (account_id: number, destination: Partial<LoginLink['destination']> = {}) =>
  createLoginLink(ctx, { account_id, destination: { ...dashboard, ...destination } });
const follow = (link: LoginLink, at?: Date) =>
  followLoginLink(visitor(database.db, at), { user_id: link.user.id, link });
const find = (session: { token: string }) =>
  findSession(database.db, { token: session.token, now: new Date() });
const sessionsOf = (user_id: number) => rowsWhere(database.db, 'sessions', { user_id });
const suspended = forbidden('This account is suspended.');
const unsigned = forbidden('Invalid signature.');
const addApp = (account_id: number) => insertAppRecord(database.db, { account_id, template_key: 'php' });

test('a link signs the end user in each time, with a new session', async () => {
  const account = await tenant();
  const link = await linkFor(account.id, { target: 'files' });
  expect(link).toMatchObject({ user: { username: account.username, email: account.email }, expires_in: 300 });
  const [first, second] = [await follow(link), await follow(link)];
  expect(first.path).toBe('/files');
  expect(first.session.token).not.toBe(second.session.token);
  for (const { session } of [first, second])
    expect(await find(session)).toMatchObject({
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

test('a session records that an operator followed the link, and ends with the operator’s own', async () => {
  const account = await tenant();
  const admin = await createAdmin(ctx, {
    username: fresh('admin'),
    email: `${fresh('a')}@a.example`,
    password: 'correct horse',
  });
  const signed = await signIn(visitor(database.db), { username: admin.username, password: 'correct horse' });
  const own = { id: (await find(signed.session!))!.session.id };
  const link = await linkFor(account.id, {});
  const { session } = await followLoginLink(visitor(database.db), {
    user_id: link.user.id,
    link,
    operator: { user_id: admin.id, session_id: own.id },
  });
  const identity = await find(session);
  expect(identity).toMatchObject({
    account_id: account.id,
    session: { method: 'operator', operator_user_id: admin.id },
  });
  const [opened] = await rowsWhere(database.db, 'audit_log', {
    target: `session:${identity!.session.id}`,
  });
  expect(opened).toMatchObject({ user_id: admin.id, as_user_id: link.user.id, account_id: account.id });
  await endSession(signedIn(database.db, admin.id), { session_id: own.id });
  expect(await find(session)).toBeNull();
});

test('a check of a link returns its destination or its refusal, and opens no session', async () => {
  const account = await tenant();
  const link = await linkFor(account.id, { target: 'files' });
  const look = () => checkLoginLink(visitor(database.db), { user_id: link.user.id, link });
  expect(await look()).toEqual({ path: '/files', username: account.username });
  expect(await sessionsOf(link.user.id)).toEqual([]);
  expect(await auditOf(database.db, account.id)).toEqual(['account.create', 'account.login-link']);
  await suspendAccount(ctx, { account_id: account.id });
  await expectRefusal(look(), suspended);
});

test('no secret of a link or a session is in the database', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const { session } = await follow(link);
  const rows = [await rowsWhere(database.db, 'audit_log'), await rowsWhere(database.db, 'sessions')];
  const text = JSON.stringify(rows);
  expect(text).not.toContain(link.signature);
  expect(text).not.toContain(session.token);
});

test('a link is valid for exactly 300 seconds', async () => {
  const link = await linkFor((await tenant()).id);
  const end = link.expires * 1_000;
  expect(end - Date.now()).toBeGreaterThan(295_000);
  expect(end - Date.now()).toBeLessThanOrEqual(300_000);
  expect((await follow(link, new Date(end - 1))).path).toBe('/');
  await expectRefusal(follow(link, new Date(end)), unsigned);
});

test('a link with any changed part is refused', async () => {
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
    await expectRefusal(followLoginLink(visitor(database.db), brought), unsigned);
  expect((await follow(link)).path).toBe(`/sites/${domain_id}`);
});

describe('an app or a domain', () => {
  test('of another account, or that does not exist, is not found', async () => {
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
      await expectRefusal(linkFor(account.id, destination), 'not_found', JSON.stringify(destination));
    const own = await addApp(account.id);
    expect((await follow(await linkFor(account.id, { target: 'app', app_id: own }))).path).toBe(
      `/apps/${own}`,
    );
  });

  test('that was removed since is refused', async () => {
    const account = await tenant();
    const app_id = await addApp(account.id);
    const link = await linkFor(account.id, { target: 'app', app_id });
    await database.db.deleteFrom('apps').where('id', '=', app_id).execute();
    await expectRefusal(follow(link), forbidden('The target of this link no longer exists.'));
  });
});

test('a link to the terminal needs terminal access, when it is made and when it is followed', async () => {
  const account = await tenant();
  const refused = forbidden('Terminal access is disabled for this account.');
  await expectRefusal(linkFor(account.id, { target: 'terminal' }), refused);
  const { max_cron_jobs: _, ...resources } = limits;
  const set = (terminal_access: boolean) =>
    setAccountResources(ctx, { account_id: account.id, ...resources, terminal_access });
  await set(true);
  const link = await linkFor(account.id, { target: 'terminal' });
  expect((await follow(link)).path).toBe('/terminal');
  await set(false);
  await expectRefusal(follow(link), refused);
});

test('a suspended account gets no link, and its links are refused until it is active again', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const { session } = await follow(link);
  const signedIn = () => find(session);
  await suspendAccount(ctx, { account_id: account.id });
  await expectRefusal(linkFor(account.id), suspended);
  await expectRefusal(follow(link), suspended);
  expect(await signedIn()).toBe(null);
  await unsuspendAccount(ctx, { account_id: account.id });
  expect(await signedIn(), 'a session does not come back').toBe(null);
  expect((await follow(link)).path).toBe('/');
});

test('an account that is being terminated, or is gone, gets no link, and its links are refused', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const { session } = await follow(link);
  await terminateAccount(ctx, { account_id: account.id });
  const refused = forbidden('This account is being terminated.');
  await expectRefusal(linkFor(account.id), refused);
  await expectRefusal(follow(link), refused);
  expect(await find(session)).toBe(null);
  await reportNewest(database.db, account.id, { outcome: 'absent' });
  await expectRefusal(follow(link), forbidden('This account no longer exists.'));
  await expectRefusal(linkFor(account.id), 'not_found');
});

test('a create that its node refuses ends the account’s sessions', async () => {
  const account = await tenant();
  await follow(await linkFor(account.id));
  const { user_id } = await rowOf(database.db, account.id);
  await reportNewest(database.db, account.id, { outcome: 'failed' });
  expect(await sessionsOf(user_id)).toEqual([]);
});

test('a new password ends every session, and links stay valid', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const { session } = await follow(link);
  await setAccountPassword(ctx, { account_id: account.id, password: 'another horse' });
  expect(await find(session)).toBe(null);
  expect((await follow(link)).path).toBe('/');
});

test('no session survives 16 sign-ins with a link during a suspension', async () => {
  const account = await tenant();
  const link = await linkFor(account.id);
  const [, ...followed] = await Promise.allSettled([
    suspendAccount(ctx, { account_id: account.id }),
    ...Array.from({ length: 16 }, () => follow(link)),
  ]);
  expect(followed).toHaveLength(16);
  for (const outcome of followed)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'forbidden' });
    else expect(await find(outcome.value.session)).toBeNull();
  const rows = database.db.selectFrom('sessions').select('id').where('user_id', '=', link.user.id);
  expect(await rows.where('expires_at', '>', new Date()).execute()).toEqual([]);
});

test('a reseller makes links for its own accounts only', async () => {
  const reseller = { ...(await addReseller(database.db)), signer };
  const package_id = await addPackage(database.db, { resellers: [reseller.username] });
  const own = await open(reseller, { package_id });
  const ask = (account_id: number) => createLoginLink(reseller, { account_id, destination: dashboard });
  expect((await ask(own.accountId)).user.username).toBe(own.view.username);
  await expectRefusal(ask((await tenant()).id), 'not_found');
  await expectRefusal(ask(424_242), 'not_found');
});

test('a missing panel login is created with a password that nobody knows', async () => {
  const account = await tenant();
  const { user_id } = await rowOf(database.db, account.id);
  await database.db.deleteFrom('users').where('id', '=', user_id).execute();
  const stale = await linkFor(account.id);
  expect(stale.user).toEqual({ id: user_id, username: account.username, email: account.email });
  expect((await follow(stale)).path).toBe('/');
  expect(await rowWhere(database.db, 'users', { id: user_id })).toMatchObject({
    username: account.username,
    role: 'user',
  });
  await terminateAccount(ctx, { account_id: account.id });
  await reportNewest(database.db, account.id, { outcome: 'absent' });
  const names = await rowsWhere(database.db, 'usernames', { username: account.username });
  expect(names, 'the name is free again').toEqual([]);
});
