import { beforeEach, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, newCustomer } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(rig);
});

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';
const FIELDS = { suffix: 'web', folder: 'domains/example.com/', password: 'correct horse', public_keys: '' };
const account = () => rig.node.accounts.get(customer.accountId);
const onNode = () => account()?.ftp_logins;
const send = (path: string, fields: Record<string, string> = {}) => customer.visitor.send(path, fields);
const pathOfLogin = () => /href="(\/ftp\/\d+)"/.exec(customer.visitor.page.html)?.[1] ?? '';

it('a login is added, shown with what a program needs, changed and removed, each on the server', async () => {
  const empty = await customer.visitor.open('/ssh-keys');
  expect(empty.text).toContain('There is no login yet.');
  expect(empty.text).toContain('0 of 5 logins');
  await customer.visitor.open('/ftp/new');
  await send('/ftp', FIELDS);
  const name = `${account()?.linux_user}_web`;
  const { text } = customer.visitor.page;
  expect(text).toContain(`The login ${name} was added.`);
  expect(text).toContain('1 of 5 logins');
  expect(text).toMatch(/SHA256:s{43}/);
  expect(text).toMatch(/AB:AB:AB/);
  expect(text).toContain('explicit TLS');
  const hash = expect.stringMatching(/^\$6\$/);
  expect(onNode()).toEqual([{ name, folder: 'domains/example.com', password_hash: hash, public_keys: [] }]);

  const path = pathOfLogin();
  await customer.visitor.open(path);
  await send(path, {
    folder: 'logs',
    password: '',
    removes_password: '1',
    public_keys: `${KEY} anna@laptop`,
  });
  expect(customer.visitor.page.text).toContain(`The login ${name} was changed.`);
  expect(onNode()).toEqual([{ name, folder: 'logs', password_hash: null, public_keys: [KEY] }]);

  await send(`${path}/remove`);
  expect(customer.visitor.page.text).toContain(`The login ${name} was removed.`);
  expect(onNode()).toEqual([]);
});

it.each([
  ['suffix', { suffix: 'A b' }, 'must be letters a-z'],
  ['suffix', { suffix: 'x'.repeat(15) }, 'must have at most 14 characters'],
  ['folder', { folder: '../other' }, 'must be a folder'],
  ['folder', { folder: '.ssh' }, 'must be a folder'],
  ['folder', { folder: '/' }, 'must be a folder'],
  ['password', { password: 'short' }, 'must be at least 10 characters'],
  ['password', { password: '' }, 'is required when public keys is not present'],
  ['public_keys', { public_keys: '-----BEGIN OPENSSH PRIVATE KEY-----' }, 'This is a private key'],
  ['public_keys', { public_keys: `command="sh" ${KEY}` }, 'must not have options'],
  ['public_keys', { public_keys: `${KEY}\n`.repeat(11) }, 'must not have more than 10 lines'],
])('a wrong %s is refused at its field: %j', async (field, wrong, sentence) => {
  await customer.visitor.open('/ftp/new');
  const refused = await send('/ftp', { ...FIELDS, ...wrong });
  expect(refused.status).toBe(422);
  expect(refused.errorAt(field)).toContain(sentence);
  expect(onNode()).toEqual([]);
});

it('the number of logins is a limit of the package, which its form shows and changes', async () => {
  await rig.db.updateTable('packages').set({ max_ftp_logins: 0 }).execute();
  const { text } = await customer.visitor.open('/ssh-keys');
  expect(text).toContain('The package of this account has no FTP and SFTP logins.');
  expect((await send('/ftp', FIELDS)).text).toContain('FTP login limit reached (0).');
  await rig.db.updateTable('packages').set({ max_ftp_logins: 5 }).execute();
});

it('another customer neither sees nor changes it', async () => {
  await customer.visitor.open('/ssh-keys');
  await send('/ftp', FIELDS);
  const before = onNode();
  const path = pathOfLogin();
  const other = await newCustomer(rig);
  expect((await other.visitor.open(path)).status).toBe(404);
  await other.visitor.open('/ssh-keys');
  await other.visitor.send(path, { folder: 'logs', password: 'another one 1' }).catch(() => undefined);
  await other.visitor.send(`${path}/remove`).catch(() => undefined);
  expect(onNode()).toEqual(before);
});

it('no answer shows a password or its hash', async () => {
  await customer.visitor.open('/ssh-keys');
  await send('/ftp', FIELDS);
  const pages = [customer.visitor.page.html, (await customer.visitor.open(pathOfLogin())).html];
  const refused = await send('/ftp', { ...FIELDS, folder: '..' });
  for (const html of [...pages, refused.html]) expect(html).not.toMatch(/correct horse|\$6\$/);
});

it('a visitor without a session is led to the sign-in', async () => {
  const { path } = await new PageVisitor(rig.origin).open('/ftp/new');
  expect(path).toMatch(/^\/login/);
});
