import { waitUntil } from '@innkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, followLink, newCustomer } from './customer.ts';
import type { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let serial = 0;

const freshName = () => `panel${++serial}.example.com`;
const onNode = ({ accountId }: Customer, id: number) =>
  rig.node.accounts.get(accountId)?.domains.find(({ domain_id }) => domain_id === id);

interface WithDomain extends Customer {
  id: number;
  name: string;
  path: string;
}

/** A customer on the page of a new domain. */
async function withDomain(more: object = {}): Promise<WithDomain> {
  const customer = await newCustomer(rig, more);
  await customer.visitor.open('/sites');
  return { ...customer, ...(await add(customer)) };
}

async function add({ visitor }: Customer, fields: Record<string, string> = {}) {
  const name = freshName();
  const { path } = await visitor.send('/sites', { domain_name: name, ...fields });
  await untilShown(visitor, path, 'Status active');
  return { name, path, id: Number(/^\/sites\/(\d+)$/.exec(path)?.[1]) };
}

/** Polls until the node has applied the request. */
async function untilShown(visitor: PageVisitor, path: string, text: string): Promise<void> {
  await waitUntil(text, async () => (await visitor.open(path)).text.includes(text));
}

/** Sets the node's report about certificates from now on. */
function certify(said: {
  status: 'active' | 'failed';
  issuer?: string;
  expires_at?: number;
  error?: string;
}) {
  rig.node.behaviour.tell = (report, spec) => ({
    ...report,
    domains: report.domains.map((domain) => {
      const revision =
        spec.domains.find(({ domain_id }) => domain_id === domain.domain_id)?.certificate_revision ?? 0;
      const certificate = { issuer: '', expires_at: 0, error: '', ...said, revision };
      return revision === 0 ? domain : { ...domain, certificate };
    }),
  });
}

describe('creating a site', () => {
  it('the server serves the first domain, and its page shows the DNS records', async () => {
    const customer = await newCustomer(rig);
    const { visitor, username } = customer;
    expect((await visitor.open('/sites')).text).toContain('There is no site yet.');
    expect((await visitor.open('/sites/new')).html).not.toContain('is_primary');
    const name = freshName();
    const pasted = ` https://WWW.${name.toUpperCase()}.:443/shop?a=b `;
    const added = await visitor.send('/sites', { domain_name: pasted });
    expect(added).toMatchObject({ status: 200, path: expect.stringMatching(/^\/sites\/\d+$/) });
    expect(added.text).toContain(`${name} was created.`);
    await untilShown(visitor, added.path, 'Status active');
    expect(added.text).toContain('Primary yes');
    expect(added.html).toContain(`href="http://${name}/"`);
    expect(added.text).toContain(`/home/${username}/`);
    for (const record of [name, `www.${name}`]) {
      expect(added.html).toContain(`value="${record}"`);
    }
    expect(added.html).toContain('value="192.0.2.10"');
    expect(onNode(customer, Number(added.path.split('/').at(-1)))).toMatchObject({ name });
  });

  it.each([
    ['', 'Enter the domain name of the site, such as example.com.'],
    ['http://192.0.2.1/', 'An IP address is not a domain name. Enter a name, such as example.com.'],
    ['me@example.com', 'A domain name has only letters, digits, hyphens and dots. Remove “@”.'],
    ['shop', '“shop” is not the ending of a domain name. Enter the complete name, such as example.com.'],
    [
      'co.uk',
      '“co.uk” is an ending that many owners share. Enter your name before it, such as example.co.uk.',
    ],
  ])('%j has its error at its field', async (domain_name, sentence) => {
    const { visitor } = await newCustomer(rig);
    await visitor.open('/sites');
    const refused = await visitor.send('/sites', { domain_name });
    expect(refused).toMatchObject({ status: 422, path: '/sites' });
    expect(refused.errorAt('domain_name')).toBe(sentence);
    expect(refused.html).toContain(`value="${domain_name}"`);
  });

  it('a name of another account, and a name below it, is refused', async () => {
    const { name } = await withDomain();
    const { visitor } = await newCustomer(rig);
    await visitor.open('/sites');
    const taken = await visitor.send('/sites', { domain_name: name });
    expect(taken.text).toContain('Domain is already taken.');
    const below = await visitor.send('/sites', { domain_name: `shop.${name}`, allow_overlap: '1' });
    expect(below.text).toContain('The domain name is below or above a domain of another account.');
  });

  it('a name below another account’s is accepted with the TXT record in DNS', async () => {
    const { name } = await withDomain();
    const { visitor } = await newCustomer(rig);
    await visitor.open('/sites');
    const below = `shop.${name}`;
    const refused = await visitor.send('/sites', { domain_name: below });
    const [, record = '', value = ''] =
      /TXT record (\S+) with the value (\S+) to its DNS/.exec(refused.text) ?? [];
    expect([refused.status, record]).toEqual([422, `_innkeeper.${below}`]);
    rig.txtRecords.set(record, [value]);
    const added = await visitor.send('/sites', { domain_name: below });
    expect(added.text).toContain(`${below} was created.`);
  });

  it('a name of the panel, and names above and below it, are refused', async () => {
    const { visitor } = await newCustomer(rig);
    await visitor.open('/sites');
    for (const domain_name of ['panel.example.com', 'example.com', 'a.panel.example.com', 'simulated.test']) {
      const refused = await visitor.send('/sites', { domain_name, allow_overlap: '1' });
      expect(refused, domain_name).toMatchObject({ status: 422 });
      expect(refused.errorAt('domain_name')).toContain('is reserved: it is a name of the provider');
    }
  });

  it('a name with accents is stored as punycode', async () => {
    const { visitor } = await newCustomer(rig);
    await visitor.open('/sites/new');
    const added = await visitor.send('/sites', { domain_name: 'https://www.bücher.example/' });
    expect(added.text).toContain('xn--bcher-kva.example was created.');
  });

  it('a new domain can become the primary one', async () => {
    const customer = await withDomain();
    expect((await customer.visitor.open('/sites/new')).html).toContain('name="is_primary"');
    const second = await add(customer, { is_primary: '1' });
    expect(customer.visitor.page.text).toContain('Primary yes');
    const { html } = await customer.visitor.open('/sites');
    expect(html.match(/primary<\/span>/g)).toHaveLength(1);
    expect(html).toMatch(new RegExp(`${second.name}</a> <span[^>]*>primary`));
  });

  it('the page says that the limit is reached, and the form is refused', async () => {
    const customer = await withDomain({ package_id: rig.packages.small });
    await customer.visitor.open('/sites');
    expect(customer.visitor.page.text).toContain('1 of 2 domains is used.');
    await add(customer);
    expect((await customer.visitor.open('/sites')).text).toContain('2 of 2 domains are used. To add');
    expect(customer.visitor.page.html).not.toContain('href="/sites/new"');
    expect((await customer.visitor.open('/sites/new')).html).not.toContain('action="/sites"');
    const refused = await customer.visitor.send('/sites', { domain_name: freshName() });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Domain limit reached (2).');
  });
});

describe('a certificate', () => {
  it('a requested certificate shows its issuer and expiry', async () => {
    const customer = await withDomain();
    const { visitor, path, name, id } = customer;
    expect(visitor.page.text).toContain('The site has no certificate yet');
    const expiresAt = Date.parse('2027-02-19T12:00:00Z') / 1_000;
    certify({ status: 'active', issuer: 'Test Authority R1', expires_at: expiresAt });
    const asked = await visitor.send(`${path}/ssl`);
    expect(asked.path).toBe(path);
    expect(asked.text).toContain(`A certificate for ${name} was requested.`);
    for (const said of ['Issued by Test Authority R1', '19 Feb 2027, 12:00 UTC', 'renews automatically'])
      await untilShown(visitor, path, said);
    expect(visitor.page.html).toContain(`href="https://${name}/"`);
    expect(onNode(customer, id)).toMatchObject({
      certificate_revision: 1,
    });
    expect((await visitor.open('/sites')).text).toContain('active until 19 Feb 2027, 12:00 UTC');
  });

  it('a site without a certificate shows the addresses in DNS, and gets one when DNS leads to its server', async () => {
    const { visitor, path, name, accountId, id } = await withDomain();
    expect(visitor.page.text).toContain('The site has no certificate yet. The panel requests one by itself');
    await visitor.send(`${path}/check-dns`);
    expect(visitor.page.text).toContain(`${name} has no address. It should have 192.0.2.10.`);
    expect(visitor.page.text).toContain(`The DNS of ${name} does not point to 192.0.2.10 yet.`);
    expect(visitor.page.text).not.toContain('This site works');
    rig.addresses.set(name, ['192.0.2.99', '2001:db8::99']);
    await visitor.send(`${path}/check-dns`);
    expect(visitor.page.text).toContain(
      'has the addresses 192.0.2.99, 2001:db8::99. It should have 192.0.2.10.',
    );
    expect(visitor.page.text).toMatch(/Status Waiting for DNS Last check .* Next check /);
    certify({ status: 'active', issuer: 'Test Authority R1', expires_at: 4_102_444_800 });
    rig.addresses.set(name, ['192.0.2.10']);
    // The control plane looks by itself within 10 s or so of the time that the page shows, so the time is moved.
    const due = { dns_next_look_at: new Date(Date.now() - 1_000) };
    await rig.db.updateTable('domains').set(due).where('id', '=', id).execute();
    await waitUntil(
      'the certificate',
      async () => (await visitor.open(path)).text.includes('Test Authority R1'),
      {
        timeoutMs: 30_000,
      },
    );
    expect((await visitor.open('/')).text).toContain(
      `A certificate for ${name} was requested, because its DNS leads here. the server`,
    );
    expect(onNode({ accountId } as Customer, id)).toMatchObject({ certificate_revision: 1 });
  });

  it('a refused certificate shows the authority’s reason, and can be requested again without an address', async () => {
    const customer = await withDomain();
    const { visitor, path, id } = customer;
    const error = 'DNS problem: NXDOMAIN looking up A for <panel> - check that a DNS record exists';
    certify({ status: 'failed', error });
    await visitor.send(`${path}/ssl`);
    await untilShown(visitor, path, error);
    const { text, html } = visitor.page;
    expect(text).toContain('Check the DNS record, then request a certificate again.');
    expect(html).not.toContain('<panel>');
    expect(text).toContain(`${customer.name} has no valid certificate`);
    certify({ status: 'active', issuer: 'A', expires_at: 4_102_444_800 });
    expect((await visitor.send(`${path}/retry`)).path).toBe(path);
    await untilShown(visitor, path, 'Status active Issued by A');
    expect((await visitor.open(path)).text).toContain('This site works.');
    expect(onNode(customer, id)).toMatchObject({ certificate_revision: 2 });
  });

  it('a pending certificate refreshes itself, and the current one stays in use', async () => {
    const { visitor, path } = await withDomain();
    certify({ status: 'active', issuer: 'A', expires_at: 4_102_444_800 });
    await visitor.send(`${path}/ssl`);
    await untilShown(visitor, path, 'Status active Issued by A');
    const kept = await visitor.send(`${path}/ssl`);
    expect(kept.text).toContain(
      'already has a valid certificate that is less than a day old. It stays in use.',
    );
    await rig.db
      .updateTable('domains')
      .set({ ssl_issued_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('id', '=', Number(path.split('/').at(-1)))
      .execute();
    rig.node.behaviour.fail = () => 'retryably';
    const pending = await visitor.send(`${path}/ssl`);
    expect(pending.text).toContain(
      'The server requests a new certificate. The current certificate stays in use.',
    );
    expect(pending.html).toMatch(/id="certificate" data-live/);
    expect(pending.html).not.toContain(`action="${path}/ssl"`);
  });
});

describe('removing a site', () => {
  it('the removal keeps the files, removes the domain from the server and makes the oldest domain primary', async () => {
    const customer = await withDomain();
    const { visitor, path, name } = customer;
    await visitor.open('/sites');
    const second = await add(customer);
    expect((await visitor.open(path)).text).toContain('Its files stay in /home/');
    const removed = await visitor.send(`${path}/remove`);
    expect(removed.path).toBe('/sites');
    expect(removed.text).toContain(`Site ${name} `);
    expect(removed.html).toMatch(new RegExp(`${second.name}</a> <span[^>]*>primary`));
    await waitUntil('the removal', async () => (await visitor.open(path)).status === 404);
    expect((await visitor.open('/sites')).html).not.toContain(`href="${path}"`);
  });

  it('the page shows a domain that is being removed, then redirects to the list', async () => {
    const { visitor, path, name } = await withDomain();
    rig.node.behaviour.fail = () => 'retryably';
    const removed = await visitor.send(`${path}/remove`);
    expect(removed.text).toContain(`Site ${name} is being removed.`);
    const { text, html } = await visitor.open(path);
    expect(text).toContain('The server is removing this domain');
    expect(html).not.toContain(`${path}/ssl`);
    const refused = await visitor.send(`${path}/ssl`);
    expect([refused.status, refused.text.includes('This domain is being removed.')]).toEqual([422, true]);
    rig.node.behaviour.fail = () => undefined;
    // The node tries again with its next poll, after 10 s at most.
    const isGone = async () => (await visitor.open(path)).status === 404;
    await waitUntil('the removal', isGone, { timeoutMs: 25_000 });
    const again = await visitor.open(path, { 'X-Panel-Script': 'true' });
    expect([again.status, again.headers.get('X-Panel-Location')]).toEqual([204, '/sites']);
  });
});

it('a failed domain shows the reason and the next step', async () => {
  const customer = await withDomain();
  const { visitor, path, id, name, accountId } = customer;
  await visitor.open('/sites');
  const second = await add(customer);
  const failed = { status: 'failed', status_reason: 'A folder of another owner is in the way.' } as const;
  await rig.db.updateTable('domains').set(failed).where('id', '=', id).execute();
  const { text, html } = await visitor.open(path);
  for (const said of ['1 thing needs attention', `${name} is not set up`, failed.status_reason, 'Since '])
    expect(text).toContain(said);
  expect(text).not.toContain('This site works');
  expect(html).not.toContain(`<a class="btn btn-small" href="${path}"`);
  const other = await visitor.open(second.path);
  expect(other.text).toContain('Elsewhere in the account: 1 thing needs attention');
  expect(other.text).not.toContain('This site works');
  await visitor.open(path);
  expect((await visitor.send(`${path}/retry`)).path).toBe(path);
  // Which one depends on whether the control plane has looked at the DNS of the site already.
  await waitUntil('the good site', async () =>
    /This site works without a certificate\.|does not point to/.test((await visitor.open(path)).text),
  );
  const actions = rig.db.selectFrom('audit_log').select('action').where('account_id', '=', accountId);
  expect((await actions.execute()).map(({ action }) => action)).toContain('account.retry');
});

it('another account’s domain gets 404 on every page and form', async () => {
  const { path, name } = await withDomain();
  const { visitor } = await newCustomer(rig);
  for (const act of ['ssl', 'check-dns', 'remove', 'retry']) {
    await visitor.open('/sites');
    const { status, html } = await visitor.send(`${path}/${act}`);
    expect(status, act).toBe(404);
    expect(html).not.toContain(name);
  }
  for (const other of [path, '/sites/0', '/sites/x', `${path}/ssl`])
    expect((await visitor.open(other)).status, other).toBe(404);
});

it('operators get 404, and a visitor is redirected to the sign-in and back', async () => {
  const { visitor, path, username } = await withDomain();
  await visitor.send('/logout');
  expect((await visitor.open(path)).path).toBe(`/login?next=${encodeURIComponent(path)}`);
  const back = await visitor.send(visitor.page.path, { username, password: 'correct horse' });
  expect(back.path).toBe(path);
  await visitor.send('/logout');
  await visitor.signIn('root-admin', 'correct horse battery');
  expect((await visitor.open('/sites')).status).toBe(404);
});

it('login links open the list, and one domain', async () => {
  const { accountId, id, path, name } = await withDomain();
  const list = await followLink(rig, accountId, { target: 'domains' });
  expect(list.page).toMatchObject({ status: 200, path: '/sites' });
  const one = await followLink(rig, accountId, { target: 'domains', domain_id: id });
  expect(one.page).toMatchObject({ status: 200, path });
  expect(one.page.text).toContain(name);
});
