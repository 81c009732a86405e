import { waitUntil } from '@innkeeper/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { newCustomer, signedIn } from './customer.ts';
import { type PageVisitor, unescaped } from './page-visitor.ts';

const rig = useControlPlaneRig();
let admin: PageVisitor;
let reseller: PageVisitor;
const ids: number[] = [];

beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
  reseller = await signedIn(rig, 'acme');
  for (const username of ['bulk1', 'bulk2', 'bulk3'])
    ids.push((await rig.createAccount({ username, package_id: rig.packages.small })).id);
});

async function statusOf(id: number): Promise<string> {
  return (await rig.ask('getAccount', { id })).body.data.status;
}

/** Waits until the change on the visitor's page has finished, and returns the text of the page. */
async function finished(visitor: PageVisitor): Promise<string> {
  const { path } = visitor.page;
  expect(path).toMatch(/^\/changes\/\d+$/);
  await waitUntil(
    'the change has finished',
    async () => !(await visitor.open(path)).html.includes('data-live'),
  );
  return visitor.page.text;
}

describe('the list', () => {
  it('has a menu in each row, and a checkbox', async () => {
    const { html } = await admin.open('/accounts');
    const [row = ''] = html.match(new RegExp(`<tr>(?:(?!</tr>).)*value="${ids[0]}".*?</tr>`)) ?? [];
    expect(row).toContain('name="ids"');
    expect(row).toContain(`formaction="/accounts/${ids[0]}/log-in"`);
    for (const page of ['package', 'password', 'suspend', 'terminate'])
      expect(row).toContain(`href="/accounts/${ids[0]}/${page}"`);
    expect(html).toContain('formaction="/accounts/many/suspend"');
  });

  it('logs in as the user from a row, and the list stays the operator’s', async () => {
    const visitor = await signedIn(rig, 'root-admin');
    await visitor.open('/accounts');
    await visitor.send(`/accounts/${ids[0]}/log-in`);
    expect(visitor.page.path).toMatch(/^\/as\/\d+\//);
    expect(visitor.page.text).toContain('bulk1');
    expect((await visitor.open('/accounts')).html).toContain('formtarget="_blank"');
  });

  it('asks before one account is suspended, and shows the reason on its page', async () => {
    const id = ids[0] ?? 0;
    const asked = await admin.open(`/accounts/${id}/suspend`);
    expect(asked.text).toContain('Suspend bulk1');
    expect(await statusOf(id)).toBe('active');
    const { text } = await admin.send(`/accounts/${id}/suspend`, { reason: 'Unpaid <invoice>' });
    expect(text).toContain('bulk1 is suspended.');
    expect(unescaped(text)).toContain('Unpaid <invoice>');
    expect((await admin.open('/accounts?q=bulk1')).html).toContain(`formaction="/accounts/${id}/unsuspend"`);
    await admin.send(`/accounts/${id}/unsuspend`);
    expect(await statusOf(id)).toBe('active');
  });

  it('asks before one account is terminated', async () => {
    const { id } = await rig.createAccount({ username: 'ended1' });
    expect((await admin.open(`/accounts/${id}/terminate`)).text).toContain('Type ended1 to confirm');
    const wrong = await admin.send(`/accounts/${id}/terminate`, { username: 'ended' });
    expect([wrong.status, wrong.errorAt('username')]).toEqual([422, expect.stringContaining('ended1')]);
    await admin.send(`/accounts/${id}/terminate`, { username: 'ended1' });
    expect((await rig.ask('getAccount', { id })).status).toBe(404);
  });
});

describe('several accounts', () => {
  it('are suspended and unsuspended from the list, after a page that names them', async () => {
    const [first = 0, second = 0, third = 0] = ids;
    const asked = await admin.open(`/accounts/many/suspend?ids=${first}&ids=${second}`);
    expect(asked.text).toContain('2 accounts');
    expect(asked.text).toContain('bulk1, bulk2');
    expect(asked.text).not.toContain('bulk3');
    expect(await statusOf(first)).toBe('active');
    const chosen = { 'ids[]': [String(first), String(second)] };
    await admin.send('/accounts/many/suspend', { ...chosen, reason: 'Unpaid' });
    expect(admin.page.text).toContain('The change of 2 accounts has begun.');
    expect(await finished(admin)).toContain('Finished');
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual([
      'suspended',
      'suspended',
      'active',
    ]);
    await admin.open(`/accounts/many/unsuspend?ids=${first}&ids=${second}`);
    await admin.send('/accounts/many/unsuspend', chosen);
    await finished(admin);
    expect(await statusOf(first)).toBe('active');
  });

  it('can be all that match the filter of the list, on all its pages', async () => {
    const filter = `package=${rig.packages.small}`;
    const list = await admin.open(`/accounts?${filter}`);
    expect(list.html).toContain(`<input type="hidden" name="package" value="${rig.packages.small}"`);
    const asked = await admin.open(`/accounts/many/change-package?all=1&${filter}`);
    expect(asked.text).toContain('3 accounts');
    expect(asked.html).toContain('name="all" value="1"');
    const fields = { all: '1', package: String(rig.packages.small) };
    const refused = await admin.send('/accounts/many/change-package', { ...fields, package_id: '424242' });
    expect([refused.status, refused.errorAt('package_id')]).toEqual([
      422,
      'Package: this choice is not available.',
    ]);
    expect(refused.html).toContain('name="all" value="1"');
    await admin.send('/accounts/many/change-package', { ...fields, package_id: String(rig.packages.large) });
    await finished(admin);
    for (const id of ids)
      expect((await rig.ask('getAccount', { id })).body.data.package_id).toBe(rig.packages.large);
  });

  it('can be all that a search text finds', async () => {
    const asked = await admin.open('/accounts/many/suspend?all=1&q=bulk');
    expect(asked.text).toContain('bulk1, bulk2, bulk3');
    expect((await admin.open('/accounts/many/suspend?all=1&q=nobody')).text).toContain(
      'No account is selected.',
    );
  });

  it('says so if none is selected, and ignores what is no id', async () => {
    for (const query of ['', '?ids=x', '?ids=0', '?all=1&status=odd'])
      expect((await admin.open(`/accounts/many/suspend${query}`)).text).toContain('No account is selected.');
    await admin.open('/accounts');
    const none = await admin.send('/accounts/many/suspend', {});
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('No account is selected.')]);
  });

  it('are the reseller’s own', async () => {
    const foreign = ids[0] ?? 0;
    const { id } = await rig.createAccount(
      { username: 'ofacme', package_id: rig.packages.small },
      rig.resellerToken,
    );
    const asked = await reseller.open(`/accounts/many/suspend?ids=${foreign}&ids=${id}`);
    expect(asked.text).toContain('1 account');
    expect(asked.text).not.toContain('bulk1');
    await reseller.send('/accounts/many/suspend', { 'ids[]': [String(foreign), String(id)] });
    await finished(reseller);
    expect([await statusOf(foreign), await statusOf(id)]).toEqual(['active', 'suspended']);
    const { path } = reseller.page;
    const { visitor } = await newCustomer(rig);
    expect((await visitor.open(path)).status).toBe(404);
    expect((await visitor.open('/accounts/many/suspend')).status).toBe(404);
  });
});
