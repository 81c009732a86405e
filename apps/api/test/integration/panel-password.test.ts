import { createReseller, setAccountPassword, setMailSettings } from '@innkeeper/services';
import { startMailServer, type TestMailServer } from '@innkeeper/testkit/mail-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CUSTOMER_PASSWORD, STAFF_PASSWORD, useControlPlaneRig } from './control-plane-rig.ts';
import { PageVisitor } from './page-visitor.ts';

const server: TestMailServer = await startMailServer();
const lines: string[] = [];
const rig = useControlPlaneRig(
  { smtpPorts: [server.port], logLevel: 'debug' },
  { write: (line) => void lines.push(line) },
);
afterAll(() => server[Symbol.asyncDispose]());

const NEW_PASSWORD = 'battery staple horse';
const MAIL_MS = 20_000;
let serial = 0;

const useMail = () =>
  setMailSettings(rig.operator, {
    host: 'localhost',
    port: server.port,
    encryption: 'none',
    sender_name: 'Northgate',
    sender_address: 'noreply@northgate.example',
    ports: [server.port],
  });
beforeAll(useMail);
beforeEach(() => {
  serial += 1;
});

/** Each from its own address: sign-ins and requests of one address are limited. */
const visitor = () => {
  serial += 1;
  return new PageVisitor(rig.origin, { 'X-Forwarded-For': `198.51.100.${serial}` });
};
const request = async (username: string, from = visitor()) => {
  await from.open('/password/forgot');
  return await from.send('/password/forgot', { username });
};
const mailsTo = (address: string) => server.received.filter(({ to }) => to.includes(address));
/** Requests a link and returns its path, from the mail that arrived. */
const linkFor = async (username: string): Promise<string> => {
  const address = `${username}@example.com`;
  const before = mailsTo(address).length;
  await request(username);
  await expect.poll(() => mailsTo(address).length, { timeout: MAIL_MS }).toBe(before + 1);
  const [, path = ''] =
    /https:\/\/panel\.example\.com(\/password\/link\/[\w-]{43})/.exec(mailsTo(address).at(-1)?.text ?? '') ??
    [];
  return path;
};
const newCustomer = async () => {
  serial += 1;
  return await rig.createAccount({ username: `forgetful${serial}`, package_id: rig.packages.small });
};
const typed = { password: NEW_PASSWORD, repeated_password: NEW_PASSWORD };

it('a request has the same answer and the same row for a user and for nobody', async () => {
  const { username } = await newCustomer();
  const [known, unknown] = [await request(username), await request('nobody-at-all')];
  const shape = ({ status, path, text }: typeof known) => ({ status, path, text });
  expect(shape(known)).toEqual(shape(unknown));
  expect(known.text).toContain('If there is a user with this name');
  const rows = await rig.db
    .selectFrom('outbox_mails')
    .select(['kind', 'typed_name', 'user_id'])
    .where('typed_name', 'in', [username, 'nobody-at-all'])
    .execute();
  expect(rows).toEqual([
    { kind: 'password-link', typed_name: username, user_id: null },
    { kind: 'password-link', typed_name: 'nobody-at-all', user_id: null },
  ]);
  expect((await request("'; drop table users")).text).toContain('If there is a user with this name');
});

it('a link sets the password once, ends all sessions, and is in no log line or row', async () => {
  const { username } = await newCustomer();
  const open = visitor();
  await open.signIn(username, CUSTOMER_PASSWORD);
  expect((await open.open('/security')).path).toBe('/security');
  const path = await linkFor(username);
  const token = path.slice('/password/link/'.length);
  const [mail] = mailsTo(`${username}@example.com`);
  expect(mail?.text).toContain(`the user ${username}`);

  for (let opened = 0; opened < 3; opened += 1) await visitor().open(path);
  const someone = visitor();
  const form = await someone.open(path);
  expect([form.status, form.path]).toEqual([200, '/password/new']);
  expect(form.html).not.toContain(token);
  const unequal = await someone.send('/password/new', { ...typed, repeated_password: 'other' });
  expect([unequal.status, unequal.errorAt('repeated_password')]).toEqual([
    422,
    expect.stringContaining('match'),
  ]);
  const short = await someone.send('/password/new', { password: 'short', repeated_password: 'short' });
  expect([short.status, short.errorAt('password')]).toEqual([422, expect.stringContaining('8')]);
  const done = await someone.send('/password/new', typed);
  expect([done.path, done.text]).toEqual(['/login', expect.stringContaining('Your password was set.')]);

  expect((await open.open('/security')).path).toContain('/login');
  expect((await visitor().signIn(username, CUSTOMER_PASSWORD)).status).toBe(422);
  expect((await visitor().signIn(username, NEW_PASSWORD)).path).toBe('/');
  expect((await visitor().open(path)).text).toContain('This link has expired or was already used.');
  const rows = [
    await rig.db.selectFrom('outbox_mails').selectAll().execute(),
    await rig.db.selectFrom('audit_log').selectAll().execute(),
  ];
  expect(JSON.stringify([rows, lines])).not.toContain(token);
  expect(lines.some((line) => line.includes('/password/link/:token'))).toBe(true);
});

it.each([
  'the password changes',
  'the email address changes',
  'it is 30 minutes old',
  'the account is suspended',
])('a link ends when %s', async (why) => {
  const { id, username } = await newCustomer();
  const path = await linkFor(username);
  const someone = visitor();
  expect((await someone.open(path)).status).toBe(200);
  if (why.includes('password'))
    await setAccountPassword(rig.operator, { account_id: id, password: 'changed meanwhile' });
  if (why.includes('email'))
    await rig.db
      .updateTable('users')
      .set({ email: 'new@example.net' })
      .where('username', '=', username)
      .execute();
  if (why.includes('old'))
    await rig.db.updateTable('password_links').set({ expires_at: new Date() }).execute();
  if (why.includes('suspended')) await rig.ask('suspendAccount', { id });
  const refused = await someone.send('/password/new', typed);
  expect(refused.status).toBe(403);
  expect((await visitor().signIn(username, NEW_PASSWORD)).status).not.toBe(200);
});

it('a link of one user does nothing for another, and a guessed one nothing at all', async () => {
  const [one, two] = [await newCustomer(), await newCustomer()];
  const someone = visitor();
  await someone.open(await linkFor(one.username));
  await someone.send('/password/new', { ...typed, username: two.username });
  expect((await visitor().signIn(two.username, CUSTOMER_PASSWORD)).path).toBe('/');
  const guess = await visitor().open(`/password/link/${'A'.repeat(43)}`);
  expect([guess.status, guess.text]).toEqual([403, expect.stringContaining('This link has expired')]);
});

it('a user gets at most three mails an hour', async () => {
  const { username } = await newCustomer();
  for (let asked = 0; asked < 6; asked += 1) expect((await request(username)).path).toBe('/login');
  const rows = await rig.db
    .selectFrom('outbox_mails')
    .select('id')
    .where('typed_name', '=', username)
    .execute();
  expect(rows).toHaveLength(3);
});

it('requests of one network are limited', async () => {
  const someone = visitor();
  const answers: number[] = [];
  for (let asked = 0; asked < 12; asked += 1) answers.push((await request(`nobody${asked}`, someone)).status);
  expect(answers.slice(0, 10).every((status) => status === 200)).toBe(true);
  expect(answers.at(-1)).toBe(429);
});

it('a second factor is still asked for', async () => {
  serial += 1;
  const username = `staff${serial}`;
  const email = `${username}@example.com`;
  const { id } = await createReseller(rig.operator, { username, email, password: STAFF_PASSWORD });
  await rig.db
    .updateTable('users')
    .set({
      totp_confirmed_at: new Date(),
      totp_sealed_secret: rig.operator.sealer.seal('totp-secret', 'A'.repeat(32)),
    })
    .where('id', '=', id)
    .execute();
  const someone = visitor();
  await someone.open(await linkFor(username));
  expect((await someone.send('/password/new', typed)).path).toBe('/login');
  const entered = await visitor().signIn(username, NEW_PASSWORD);
  expect([entered.path, entered.text]).toEqual(['/login/code', expect.stringContaining('Two-factor')]);
});

it('without a mail server the page says so, and names the support link', async () => {
  await rig.db.deleteFrom('mail_settings').execute();
  const page = await visitor().open('/password/forgot');
  expect(page.text).toContain('This panel cannot send mail.');
  expect(page.html).not.toContain('name="username"');
  await useMail();
  expect((await visitor().open('/login')).html).toContain('href="/password/forgot"');
});
