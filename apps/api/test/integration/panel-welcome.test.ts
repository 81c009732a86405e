import { setMailSettings } from '@innkeeper/services';
import { startMailServer, type TestMailServer } from '@innkeeper/testkit/mail-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { signedIn } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const server: TestMailServer = await startMailServer();
const rig = useControlPlaneRig({ smtpPorts: [server.port] });
afterAll(() => server[Symbol.asyncDispose]());

const PASSWORD = 'typed by the operator';
const NEW_PASSWORD = 'battery staple horse';
/** A first attempt can come before the server has the account. The second one follows after 10 s. */
const MAIL_MS = 40_000;
let serial = 0;
let admin: PageVisitor;
let reseller: PageVisitor;

const useMail = (welcomes_api_accounts = false) =>
  setMailSettings(rig.operator, {
    host: 'localhost',
    port: server.port,
    encryption: 'none',
    sender_name: 'Northgate',
    sender_address: 'noreply@northgate.example',
    welcomes_api_accounts,
    ports: [server.port],
  });
beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
  reseller = await signedIn(rig, 'acme');
});
beforeEach(() => useMail());

const newName = () => {
  serial += 1;
  return `guest${serial}`;
};
const send = async (visitor: PageVisitor, username: string, more: Record<string, string> = {}) => {
  await visitor.open('/accounts/new');
  return await visitor.send('/accounts/new', {
    username,
    name: 'A Guest',
    email: `${username}@example.com`,
    password: PASSWORD,
    package_id: String(rig.packages.small),
    ...more,
  });
};
const rowsOf = async (username: string) =>
  await rig.db
    .selectFrom('outbox_mails')
    .innerJoin('users', 'users.id', 'outbox_mails.user_id')
    .select(['kind', 'typed_name'])
    .where('users.username', '=', username)
    .execute();
const WELCOME_ROW = [{ kind: 'welcome', typed_name: null }];
const mailTo = async (username: string) => {
  const ofUser = () => server.received.filter(({ to }) => to.includes(`${username}@example.com`));
  await expect.poll(() => ofUser().length, { timeout: MAIL_MS }).toBe(1);
  return ofUser()[0]?.text ?? '';
};

it('a welcome mail has the username, the addresses and a link that sets the password once, and no password', async () => {
  const username = newName();
  await admin.open('/accounts/new');
  expect(admin.page.html).toMatch(/<input type="checkbox"[^>]* name="welcome_mail"[^>]* checked/);
  const created = await send(admin, username, { welcome_mail: '1' });
  expect(created.text).toContain(`A welcome mail goes to ${username}@example.com`);
  expect(await rowsOf(username)).toEqual(WELCOME_ROW);
  const text = await mailTo(username);
  const { address } = await rig.db.selectFrom('nodes').select('address').executeTakeFirstOrThrow();
  for (const words of [`Username: ${username}`, 'Panel: https://panel.example.com', address, '48 hours'])
    expect(text).toContain(words);
  expect(text).not.toContain(PASSWORD);
  const [, path = ''] = /https:\/\/panel\.example\.com(\/password\/link\/[\w-]{43})/.exec(text) ?? [];
  const typed = { password: NEW_PASSWORD, repeated_password: NEW_PASSWORD };
  const guest = new PageVisitor(rig.origin);
  expect((await guest.open(path)).path).toBe('/password/new');
  expect((await guest.send('/password/new', typed)).path).toBe('/login');
  expect((await guest.signIn(username, NEW_PASSWORD)).path).toBe('/');
  const again = await new PageVisitor(rig.origin).open(path);
  expect([again.status, again.text]).toEqual([403, expect.stringContaining('This link has expired')]);
}, 90_000);

it('without the box there is no mail, and a refused create sends none', async () => {
  const username = newName();
  expect((await send(admin, username)).text).toContain(`${username} was created`);
  expect(await rowsOf(username)).toEqual([]);
  const refused = await send(admin, username, { welcome_mail: '1' });
  expect([refused.status, await rowsOf(username)]).toEqual([422, []]);
  expect(refused.html).toMatch(/name="welcome_mail"[^>]* checked/);
  expect((await send(admin, username)).html).not.toMatch(/name="welcome_mail"[^>]* checked/);
});

it('without a mail server there is no box, and a form that was open before is refused', async () => {
  await rig.db.deleteFrom('mail_settings').execute();
  const username = newName();
  await admin.open('/accounts/new');
  expect(admin.page.html).not.toContain('welcome_mail');
  const refused = await send(admin, username, { welcome_mail: '1' });
  expect(refused.text).toContain('The panel has no mail server now');
  expect((await admin.open(`/accounts?q=${username}`)).html).not.toContain(`${username}@example.com`);
  expect((await send(admin, username)).text).toContain(`${username} was created`);
});

it('an account of the REST API gets one mail if the setting is on, also with a repeated Idempotency-Key', async () => {
  const create = async (key: string) => {
    const username = newName();
    const body = rig.accountFields({ username, package_id: rig.packages.small });
    const headers = { 'Idempotency-Key': key };
    for (const _ of ['first', 'repeated'])
      expect((await rig.ask('createAccount', { body, headers })).status).toBe(201);
    expect((await rig.ask('createAccount', { body })).status).toBe(422);
    return await rowsOf(username);
  };
  expect(await create('without-a-welcome')).toEqual([]);
  await admin.open('/mail');
  const fields = {
    host: 'localhost',
    port: String(server.port),
    encryption: 'none',
    username: '',
    smtp_password: '',
    sender_name: 'Northgate',
    sender_address: 'noreply@northgate.example',
  };
  await admin.send('/mail', { ...fields, welcomes_api_accounts: '1' });
  expect(admin.page.html).toMatch(/name="welcomes_api_accounts"[^>]* checked/);
  expect(await create('with-a-welcome')).toEqual(WELCOME_ROW);
  await admin.send('/mail', fields);
  expect(admin.page.html).not.toMatch(/name="welcomes_api_accounts"[^>]* checked/);
});

it('the mail has the brand of the account’s reseller', async () => {
  const noBrand = {
    color: null,
    support_url: null,
    host: null,
    logo_hash: null,
    logo_type: null,
    logo: null,
  };
  await rig.db
    .insertInto('brands')
    .values({ ...noBrand, scope_id: rig.resellerId, name: 'Acme Hosting', updated_at: new Date() })
    .execute();
  const username = newName();
  await send(reseller, username, { welcome_mail: '1' });
  expect(await mailTo(username)).toContain('Acme Hosting');
}, 90_000);
