import { beforeAll, describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, newCustomer, signedIn } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let admin: PageVisitor;
let reseller: PageVisitor;
let customer: Customer;
let ownId: number;

beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
  reseller = await signedIn(rig, 'acme');
  customer = await newCustomer(rig, { username: 'flowers' });
  ownId = (await rig.createAccount({ username: 'flowmeter' }, rig.resellerToken)).id;
  await rig.ask('createDomain', {
    body: { hosting_account_id: customer.accountId, domain_name: 'roses.example.com' },
  });
});

const found = async (visitor: PageVisitor, q: string) =>
  (await visitor.open(`/search/results?q=${encodeURIComponent(q)}`)).html;

describe('the search', () => {
  it('finds accounts, domains, servers, packages, resellers and pages, without a script', async () => {
    for (const [q, path] of [
      ['FLOWER', `/accounts/${customer.accountId}`],
      ['roses.ex', `/accounts/${customer.accountId}`],
      ['eb1', '/nodes/1'],
      ['large', `/packages/${rig.packages.large}`],
      ['cme', '/resellers/acme'],
      ['audit', '/audit'],
    ] as const)
      expect(await found(admin, q), q).toMatch(new RegExp(`<li><a href="${path}">`));
    expect((await admin.open('/search?q=flower')).html).toContain(await found(admin, 'flower'));
    expect((await admin.open('/search?q=f')).text).toContain('Type at least two characters.');
    expect((await admin.open('/search?q=nothing-like-it')).text).toContain('Nothing matches.');
    expect((await admin.open('/search?q=%25%25%3Cb%3E')).html).not.toContain('<b>"');
  });

  it('a reseller finds its own accounts and packages alone', async () => {
    const own = await found(reseller, 'flow');
    expect(own).toContain(`<a href="/accounts/${ownId}">`);
    expect(own).not.toContain(`<a href="/accounts/${customer.accountId}">`);
    for (const q of ['web1', 'roses', 'admin only', 'acme', 'Staff'])
      expect(await found(reseller, q), q).not.toContain('<li><a href="/');
  });

  it('a customer finds its own sites and the pages of its panel', async () => {
    expect(await found(customer.visitor, 'roses')).toContain('<a href="/sites/');
    expect(await found(customer.visitor, 'databases')).toContain('<li><a href="/databases">');
    for (const q of ['flowmeter', 'web1', 'audit'])
      expect(await found(customer.visitor, q), q).not.toContain('<li><a href="/');
  });

  it('the dialog of the frame gets the results alone, and a visitor none', async () => {
    const { html } = await admin.open('/search/results?q=flower');
    expect(html).toMatch(/^<ul class="found">.*<\/ul>$/s);
    expect((await new PageVisitor(rig.origin).open('/search/results?q=flower')).path).toMatch(/^\/login/);
  });
});
