import { waitUntil } from '@innkeeper/testkit';
import { beforeEach, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();
let account: { id: number; username: string };
beforeEach(async () => {
  account = await rig.createAccount();
});

const add = async (domain_name: string) =>
  (await rig.ask('createDomain', { body: { hosting_account_id: account.id, domain_name } })).body.data;
const sslOf = async (id: number) => (await rig.ask('getDomain', { id })).body.data.ssl;
const onNode = () => rig.node.accounts.get(account.id)?.domains;

it('a new domain has its normalised name, and the node serves it when the API answers', async () => {
  const domain_name = 'shop.xn--mnchhausen-9db.example';
  expect(await add(' Shop.Münchhausen.Example. ')).toMatchObject({
    domain_name,
    hosting_account_id: account.id,
    hosting_account: { id: account.id },
    is_primary: true,
    document_root: `/home/${account.username}/domains/${domain_name}/public_html`,
    status: 'active',
    status_reason: null,
  });
  expect(onNode()).toMatchObject([{ name: domain_name, is_primary: true, desired_state: 'active' }]);
});

it('the API answers a request for a certificate at once, and shows it when the node has it', async () => {
  const { id } = await add('tls.example');
  expect(await sslOf(id)).toEqual({ status: 'none', issuer: null, expires_at: null, error: null });
  rig.node.behaviour.delayMs = () => 500;
  const { status, body } = await rig.ask('installSsl', { id, body: { email: ' tls@example.com ' } });
  rig.node.behaviour.delayMs = () => 0;
  expect([status, body.message]).toEqual([200, 'SSL installation queued']);
  expect(body.data).toMatchObject({ id, hosting_account: { id: account.id }, ssl: { status: 'pending' } });
  await waitUntil('the certificate', async () => (await sslOf(id)).status === 'active');
  expect(await sslOf(id)).toEqual({
    status: 'active',
    issuer: 'Simulated authority',
    expires_at: '2100-01-01T00:00:00.000000Z',
    error: null,
  });
  expect(onNode()).toMatchObject([{ certificate_revision: 1 }]);
  const { body: listed } = await rig.ask('listDomains', { query: `hosting_account_id=${account.id}` });
  expect(listed.data[0].ssl.status).toBe('active');
});

it('the API answers a removal at once; when the node has removed the domain, its name is free', async () => {
  const [first, second] = [await add('one.removal.example'), await add('two.removal.example')];
  const { status, body } = await rig.ask('removeDomain', { id: first.id });
  expect([status, body]).toEqual([200, { message: 'Domain removal queued' }]);
  await waitUntil('the removal', async () => (await rig.ask('getDomain', { id: first.id })).status === 404);
  expect((await rig.ask('getDomain', { id: second.id })).body.data.is_primary).toBe(true);
  expect(await add('one.removal.example')).toMatchObject({ status: 'active' });
});
