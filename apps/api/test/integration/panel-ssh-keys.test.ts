import { beforeEach, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, newCustomer } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(rig);
});

/** A real public key. */
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';
const onNode = () => rig.node.accounts.get(customer.accountId)?.ssh_keys;
const send = (path: string, fields: Record<string, string> = {}) => customer.visitor.send(path, fields);

it('a key is added, shown with its fingerprint, and removed, each on the server', async () => {
  const empty = await customer.visitor.open('/ssh-keys');
  expect(empty.text).toContain('There is no key yet.');
  await send('/ssh-keys', { public_key: `${KEY} anna@laptop\n`, name: '' });
  const { text, html } = customer.visitor.page;
  expect(text).toContain('The key anna@laptop was added.');
  expect(text).toMatch(/SHA256:[A-Za-z0-9+/]{43}/);
  expect(onNode()).toEqual([KEY]);
  const [, remove = ''] = /action="(\/ssh-keys\/\d+\/remove)"/.exec(html) ?? [];
  await send(remove);
  expect(customer.visitor.page.text).toContain('The key anna@laptop was removed.');
  expect(onNode()).toEqual([]);
});

it.each([
  ['', 'Public key is required.'],
  ['-----BEGIN OPENSSH PRIVATE KEY-----', 'This is a private key'],
  [`command="sh" ${KEY}`, 'must not have options'],
  ['ssh-ed25519 AAAA', 'must be a complete public key'],
])('a wrong key is refused at its field: %s', async (public_key, sentence) => {
  await customer.visitor.open('/ssh-keys');
  const { status, text } = await send('/ssh-keys', { public_key, name: '' });
  expect(status).toBe(422);
  expect(text).toContain(sentence);
  expect(onNode()).toEqual([]);
});

it('another customer cannot remove it', async () => {
  await customer.visitor.open('/ssh-keys');
  await send('/ssh-keys', { public_key: KEY, name: 'Mine' });
  const [, remove = ''] = /action="(\/ssh-keys\/\d+\/remove)"/.exec(customer.visitor.page.html) ?? [];
  const other = await newCustomer(rig);
  await other.visitor.open('/ssh-keys');
  await other.visitor.send(remove).catch(() => undefined);
  expect(onNode()).toEqual([KEY]);
});

it('a visitor without a session is led to the sign-in', async () => {
  const { path } = await new PageVisitor(rig.origin).open('/ssh-keys');
  expect(path).toMatch(/^\/login/);
});
