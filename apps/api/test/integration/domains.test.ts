import { waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ControlPlaneRig, startControlPlaneRig } from './control-plane-rig.ts';

let rig: ControlPlaneRig;
let accountId: number;
let serial = 0;
beforeAll(async () => {
  rig = await startControlPlaneRig();
});
afterAll(() => rig?.stop());
beforeEach(async () => {
  accountId = await createAccount();
});

async function createAccount(token = rig.adminToken): Promise<number> {
  serial += 1;
  const { body } = await rig.ask('createAccount', {
    token,
    body: {
      username: `domains${serial}`,
      name: 'D',
      email: 'd@example.com',
      password: 'correct horse',
      package_id: rig.packages.large,
    },
  });
  return body.data.id;
}

const add = (domain_name: unknown, more: object = {}, token = rig.adminToken) =>
  rig.ask('createDomain', { token, body: { hosting_account_id: accountId, domain_name, ...more } });
const taken = { domain_name: ['The domain name has already been taken.'] };

describe('adding a domain', () => {
  it('stores it as it is served, and answers once it is', async () => {
    const { status, body } = await add(' Shop.Münchhausen.Example. ');
    expect([status, body.data]).toMatchObject([
      201,
      {
        domain_name: 'shop.xn--mnchhausen-9db.example',
        hosting_account_id: accountId,
        hosting_account: { id: accountId },
        is_primary: true,
        status: 'active',
        status_reason: null,
      },
    ]);
    expect(body.data.document_root).toMatch(
      /^\/home\/domains\d+\/domains\/shop\.xn--mnchhausen-9db\.example\/public_html$/,
    );
    expect(rig.node.accounts.get(accountId)?.domains).toMatchObject([
      { name: 'shop.xn--mnchhausen-9db.example', is_primary: true, desired_state: 'active' },
    ]);
  });

  it('makes the first one primary, and moves the flag when told to', async () => {
    const first = (await add('first.primary.example')).body.data;
    const second = (await add('second.primary.example')).body.data;
    const third = (await add('third.primary.example', { is_primary: '1' })).body.data;
    expect([first, second, third].map(({ is_primary }) => is_primary)).toEqual([true, false, true]);
    const { domains } = (await rig.ask('getAccount', { id: accountId })).body.data;
    expect(domains.filter(({ is_primary }: { is_primary: boolean }) => is_primary)).toMatchObject([
      { id: third.id },
    ]);
  });

  it('is refused for a name in use, and for one above or below another account’s', async () => {
    await add('shop.overlap.example');
    accountId = await createAccount();
    for (const name of [
      'shop.overlap.example',
      'SHOP.overlap.EXAMPLE.',
      'a.shop.overlap.example',
      'overlap.example',
    ]) {
      const { status, body } = await add(name);
      expect([status, Object.keys(body.errors)], name).toEqual([422, ['domain_name']]);
    }
    expect((await add('shop.overlap.example')).body.errors).toEqual(taken);
    expect((await add('b.shop.overlap.example', { allow_overlap: true })).status).toBe(201);
    expect((await add('other.overlap.example')).status).toBe(201);
  });

  it('lets no reseller overlap, whatever it sends', async () => {
    await add('admins.example');
    accountId = await createAccount(rig.resellerToken);
    const { status } = await add('www.admins.example', { allow_overlap: true }, rig.resellerToken);
    expect(status).toBe(422);
  });

  it('is refused beyond the account’s limit', async () => {
    for (const n of [1, 2, 3, 4, 5]) expect((await add(`n${n}.limit.example`)).status).toBe(201);
    const { status, body } = await add('n6.limit.example');
    expect([status, body]).toEqual([422, { error: 'Domain limit reached (5).' }]);
  });

  it('is refused for an account that is not there or another’s', async () => {
    for (const hosting_account_id of [4_242, -1, 0]) {
      const { status, body } = await add('nowhere.example', { hosting_account_id });
      expect([status, body], String(hosting_account_id)).toEqual([404, { message: 'Not found.' }]);
    }
    expect((await add('nowhere.example', {}, rig.resellerToken)).status).toBe(404);
    expect((await add('no', {}, rig.resellerToken)).status).toBe(404);
  });

  it.each<[field: string, value: unknown]>([
    ['hosting_account_id', undefined],
    ['hosting_account_id', 'x'],
    ['hosting_account_id', [1]],
    ['domain_name', undefined],
    ['domain_name', 'localhost'],
    ['domain_name', '../../etc'],
    ['domain_name', 'a\nb.example'],
    ['domain_name', '-a.example'],
    ['domain_name', 'co.uk'],
    ['domain_name', 5],
    ['is_primary', 'true'],
    ['allow_overlap', {}],
  ])('refuses %s %j', async (field, value) => {
    const { status, body } = await add('good.example', { [field]: value });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
  });
});

describe('listing domains', () => {
  it('is of one account or of all, and of nobody else’s', async () => {
    await add('listed.example');
    const list = (query: string, token = rig.adminToken) => rig.ask('listDomains', { query, token });
    const one = (await list(`hosting_account_id=${accountId}`)).body;
    expect([one.total, one.data[0].domain_name]).toEqual([1, 'listed.example']);
    expect((await list('')).body.total).toBeGreaterThan(1);
    expect((await list(`hosting_account_id=${accountId}`, rig.resellerToken)).status).toBe(404);
    expect((await list('hosting_account_id=4242')).status).toBe(404);
    expect((await list('hosting_account_id=x')).status).toBe(422);
    expect((await list('per_page=0')).body.errors).toEqual({
      per_page: ['The per page field must be at least 1.'],
    });
  });
});

describe('installing SSL', () => {
  const install = (id: number, body: object = {}, token = rig.adminToken) =>
    rig.ask('installSsl', { id, body, token });
  const sslOf = async (id: number) => (await rig.ask('getDomain', { id })).body.data.ssl;

  it('answers at once that it is pending, and is active when the node says so', async () => {
    const { id } = (await add('tls.example')).body.data;
    expect(await sslOf(id)).toEqual({ status: 'none', issuer: null, expires_at: null, error: null });
    rig.node.behaviour.delayMs = () => 500;
    const { status, body } = await install(id, { email: ' tls@example.com ' });
    rig.node.behaviour.delayMs = () => 0;
    expect([status, body.message]).toEqual([200, 'SSL installation queued']);
    expect(body.data).toMatchObject({ id, hosting_account: { id: accountId }, ssl: { status: 'pending' } });
    await waitUntil('the certificate', async () => (await sslOf(id)).status === 'active');
    expect(await sslOf(id)).toEqual({
      status: 'active',
      issuer: 'Simulated authority',
      expires_at: '2100-01-01T00:00:00.000000Z',
      error: null,
    });
    expect(rig.node.accounts.get(accountId)?.domains).toMatchObject([
      { certificate_revision: 1, certificate_email: 'tls@example.com' },
    ]);
    const { body: listed } = await rig.ask('listDomains', { query: `hosting_account_id=${accountId}` });
    expect(listed.data[0].ssl.status).toBe('active');
  });

  it('needs no body', async () => {
    const { id } = (await add('bodyless.example')).body.data;
    expect((await rig.ask('installSsl', { id })).status).toBe(200);
  });

  it('says why it failed in the authority’s own words, and may be asked for again', async () => {
    const { id } = (await add('refused.example')).body.data;
    rig.node.behaviour.tell = (honest) => ({
      ...honest,
      domains: honest.domains.map((domain) => ({
        ...domain,
        certificate: domain.certificate && {
          ...domain.certificate,
          status: 'failed' as const,
          issuer: '',
          expires_at: 0,
          error: 'DNS problem: NXDOMAIN looking up A for refused.example',
        },
      })),
    });
    await install(id);
    await waitUntil('the failure', async () => (await sslOf(id)).status === 'failed');
    expect(await sslOf(id)).toEqual({
      status: 'failed',
      issuer: null,
      expires_at: null,
      error: 'DNS problem: NXDOMAIN looking up A for refused.example',
    });
    expect((await rig.ask('getDomain', { id })).body.data.status).toBe('active');
    rig.node.behaviour.tell = (honest) => honest;
    expect((await install(id)).body.data.ssl).toMatchObject({ status: 'pending', error: null });
    await waitUntil('the certificate', async () => (await sslOf(id)).status === 'active');
  });

  it('is refused for a suspended account, one that goes, another’s, and a malformed address', async () => {
    const { id } = (await add('nowhere-tls.example')).body.data;
    expect((await install(id, {}, rig.resellerToken)).status).toBe(404);
    expect((await install(id, { email: 'no' })).body.errors).toEqual({
      email: ['The email field must be a valid email address.'],
    });
    await rig.ask('suspendAccount', { id: accountId });
    expect((await install(id)).body).toEqual({
      error: 'This account is suspended: no certificate can be issued before it is active again.',
    });
    await rig.ask('unsuspendAccount', { id: accountId });
    rig.node.behaviour.tell = () => undefined;
    await rig.ask('removeDomain', { id });
    const { status, body } = await install(id);
    rig.node.behaviour.tell = (honest) => honest;
    expect([status, body]).toEqual([422, { error: 'This domain is being removed.' }]);
  });
});

describe('removing a domain', () => {
  it('takes it from the node, then frees the name and promotes the oldest', async () => {
    const first = (await add('one.removal.example')).body.data;
    const second = (await add('two.removal.example')).body.data;
    const { status, body } = await rig.ask('removeDomain', { id: first.id });
    expect([status, body]).toEqual([200, { message: 'Domain removal queued' }]);
    await waitUntil('the removal', async () => (await rig.ask('getDomain', { id: first.id })).status === 404);
    expect((await rig.ask('getDomain', { id: second.id })).body.data.is_primary).toBe(true);
    expect((await add('one.removal.example')).status).toBe(201);
  });

  it('of another is not there', async () => {
    const { id } = (await add('foreign.example')).body.data;
    for (const name of ['getDomain', 'removeDomain'] as const)
      expect((await rig.ask(name, { id, token: rig.resellerToken })).status, name).toBe(404);
    expect((await rig.ask('getDomain', { id })).body.data.status).toBe('active');
  });
});
