import { waitUntil } from '@innkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { CUSTOMER_PASSWORD, useControlPlaneRig } from './control-plane-rig.ts';
import { type Customer, followLink, newCustomer } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

/** A node tries again with its next poll, 10 s later at most. */
const AFTER_A_POLL = { timeoutMs: 25_000 };

const logged: string[] = [];
const rig = useControlPlaneRig({ logLevel: 'trace' }, { write: (line) => void logged.push(line) });

const onNode = ({ accountId }: Customer, id: number) =>
  rig.node.accounts.get(accountId)?.databases.find(({ database_id }) => database_id === id);
const auditOf = async ({ accountId }: Customer, action: string) =>
  await rig.db
    .selectFrom('audit_log')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .execute();
/** A customer on the page of a new database. */
async function withDatabase(name = 'shop', more: object = {}): Promise<Customer & { id: number }> {
  const customer = await newCustomer(rig, { max_databases: 3, ...more });
  await customer.visitor.open('/databases');
  const { path } = await customer.visitor.send('/databases', { name });
  const id = Number(/^\/databases\/(\d+)$/.exec(path)?.[1]);
  await waitUntil('the database', async () =>
    (await customer.visitor.open(path)).text.includes('Status active'),
  );
  return { ...customer, id };
}

describe('adding a database', () => {
  it('the first database is created on the server, and its page opens', async () => {
    const customer = await newCustomer(rig);
    const { visitor, username } = customer;
    expect((await visitor.open('/databases')).text).toContain('There is no database yet.');
    const added = await visitor.send('/databases', { name: 'My Blog' });
    expect(added).toMatchObject({ status: 200, path: expect.stringMatching(/^\/databases\/\d+$/) });
    expect(added.text).toContain(`Database ${username}_my_blog was added.`);
    for (const value of ['localhost', '3306', `${username}_my_blog`, '192.0.2.10'])
      expect(added.html).toContain(`value="${value}"`);
    const id = Number(added.path.split('/').at(-1));
    await waitUntil('the database', async () =>
      (await visitor.open(added.path)).text.includes('Status active'),
    );
    expect(onNode(customer, id)).toMatchObject({ db_name: `${username}_my_blog` });
    const list = await visitor.open('/databases');
    expect(list.html).toContain(`<a href="/databases/${id}">My Blog</a>`);
    expect(list.html).not.toContain('data-live');
  });

  it('a refused name has its error at its field', async () => {
    const { visitor } = await withDatabase('shop');
    const taken = await visitor.send('/databases', { name: 'Shop' });
    expect(taken).toMatchObject({ status: 422, path: '/databases' });
    expect(taken.errorAt('name')).toBe('Name is already taken.');
    expect(taken.html).toContain('value="Shop"');
    const long = await visitor.send('/databases', { name: 'x'.repeat(65) });
    expect(long.text).toContain('Name must have at most 64 characters.');
  });

  it('the page says that the limit is reached, and the form is refused', async () => {
    const { visitor } = await withDatabase('only', { max_databases: 1 });
    expect((await visitor.open('/databases')).text).toContain('1 of 1 databases is used. To add another one');
    const refused = await visitor.send('/databases', { name: 'more' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Database limit reached (1).');
  });

  it('the page shows a pending database, and refreshes itself until it is active', async () => {
    const customer = await newCustomer(rig);
    rig.node.behaviour.fail = () => 'retryably';
    await customer.visitor.open('/databases');
    const added = await customer.visitor.send('/databases', { name: 'slow' });
    expect(added.text).toContain('The server is setting up this database.');
    expect(added.html).toContain(`data-live="${added.path}"`);
    rig.node.behaviour.fail = () => undefined;
    const isActive = async () => (await customer.visitor.open(added.path)).text.includes('Status active');
    await waitUntil('the database', isActive, AFTER_A_POLL);
    expect(customer.visitor.page.html).not.toContain('data-live');
  });
});

describe('the password', () => {
  it('only the answer to the POST contains the password, and the audit log records it', async () => {
    const customer = await withDatabase();
    const { visitor, id } = customer;
    const password = onNode(customer, id)?.password ?? 'none';
    expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(visitor.page.html).not.toContain(password);
    const shown = await visitor.send(`/databases/${id}/password`);
    expect(shown).toMatchObject({ status: 200, path: `/databases/${id}/password` });
    expect(shown.html).toContain(`value="${password}"`);
    expect(shown.headers.get('Cache-Control')).toBe('no-store');
    for (const path of [`/databases/${id}`, '/databases', '/'])
      expect((await visitor.open(path)).html, path).not.toContain(password);
    expect(await auditOf(customer, 'database.show-password')).toMatchObject([
      { target: `database:${id}`, token_id: null, address: '127.0.0.1' },
    ]);
    expect(logged.join('\n')).not.toContain(password);
    const rows = await rig.db.selectFrom('audit_log').select('details').execute();
    expect(JSON.stringify(rows)).not.toContain(password);
  });

  it('GET, another site and other users do not get the password', async () => {
    const customer = await withDatabase();
    const path = `/databases/${customer.id}/password`;
    expect((await customer.visitor.open(path)).status).toBe(404);
    await customer.visitor.open('/databases');
    const elsewhere = await customer.visitor.send(path, {}, { 'Sec-Fetch-Site': 'cross-site' });
    expect(elsewhere.status).toBe(403);
    const { visitor: other } = await newCustomer(rig);
    await other.open('/databases');
    expect((await other.send(path)).status).toBe(404);
    expect(await auditOf(customer, 'database.show-password')).toEqual([]);
  });

  it('a form replaces the password', async () => {
    const customer = await withDatabase();
    const before = onNode(customer, customer.id)?.password;
    const reset = await customer.visitor.send(`/databases/${customer.id}/reset-password`);
    expect(reset.path).toBe(`/databases/${customer.id}`);
    expect(reset.text).toMatch(/The database (has|gets) a new password/);
    await waitUntil('the password', () => onNode(customer, customer.id)?.password_revision === 2);
    const after = onNode(customer, customer.id);
    expect(after?.password).not.toBe(before);
    expect(reset.html).not.toContain(after?.password);
    const shown = await customer.visitor.send(`/databases/${customer.id}/password`);
    expect(shown.html).toContain(`value="${after?.password}"`);
  });
});

it('a full list has no form, and links to the provider if it has a support address', async () => {
  const { visitor } = await withDatabase('shop', { max_databases: 1 });
  const full = await visitor.open('/databases');
  expect(full.text).toContain('1 of 1 databases is used. To add another one');
  expect(full.html).not.toContain('name="name"');
  expect(full.html).not.toContain('Ask your provider');
  const brand = { scope_id: 0, name: 'Provider', color: null, support_url: 'https://example.com/help' };
  await rig.db
    .insertInto('brands')
    .values({ ...brand, updated_at: new Date() } as never)
    .execute();
  await waitUntil(
    'the support address',
    async () =>
      (await visitor.open('/databases')).html.includes(
        '<a class="btn btn-small" href="https://example.com/help"',
      ),
    AFTER_A_POLL,
  );
});

describe('access from elsewhere', () => {
  it('a form allows an address, and another one revokes it', async () => {
    const customer = await withDatabase();
    const path = `/databases/${customer.id}`;
    expect(customer.visitor.page.text).toContain('No other computer can connect to this database.');
    const allowed = await customer.visitor.send(`${path}/allowed-ips`, { ip: ' 2001:DB8:0::7 ' });
    expect(allowed.path).toBe(path);
    expect(allowed.text).toContain('2001:db8::7 can connect to this database.');
    const allowedOnNode = () => JSON.stringify(onNode(customer, customer.id)?.allowed_ips);
    await waitUntil('the permission', () => allowedOnNode() === '["2001:db8::7"]');
    const revoked = await customer.visitor.send(`${path}/revoked-ips`, { ip: '2001:db8::7' });
    expect(revoked.text).toContain('2001:db8::7 can no longer connect to this database.');
    await waitUntil('its end', () => allowedOnNode() === '[]');
    expect((await customer.visitor.send(`${path}/revoked-ips`, { ip: '2001:db8::7' })).status).toBe(404);
  });

  it('a refused address has its error at its field', async () => {
    const { visitor, id } = await withDatabase();
    const allow = (ip: string) => visitor.send(`/databases/${id}/allowed-ips`, { ip });
    for (const ip of ['10.0.0.0/8', 'db.example.com', '%', '1.2.3']) {
      const refused = await allow(ip);
      expect(refused.status, ip).toBe(422);
      expect(refused.errorAt('ip')).toBe('Enter a valid IP address.');
      expect(refused.html).toContain(`value="${ip}"`);
    }
    for (const ip of ['0.0.0.0', '::', '0:0::0'])
      expect((await allow(ip)).errorAt('ip'), ip).toContain('stands for none');
    expect((await allow('')).text).toContain('IP address is required.');
    await allow('203.0.113.7');
    expect((await allow('203.0.113.7')).text).toContain('IP address is already taken.');
  });
});

it('a button allows the address of the customer’s computer, and this machine has none', async () => {
  const { id, username, visitor: here } = await withDatabase();
  expect(here.page.text).not.toContain('Allow my address');
  const away = new PageVisitor(rig.origin, { 'X-Forwarded-For': '203.0.113.9' });
  await away.signIn(username, CUSTOMER_PASSWORD);
  await away.open(`/databases/${id}`);
  expect(away.page.text).toContain('Allow my address (203.0.113.9)');
  expect((await away.send(`/databases/${id}/allowed-ips`, { ip: '203.0.113.9' })).text).not.toContain(
    'Allow my address',
  );
});

describe('removing a database', () => {
  it('a confirmed removal deletes the database from the server', async () => {
    const customer = await withDatabase();
    const { visitor, id, username } = customer;
    expect(visitor.page.text).toContain('You cannot undo this.');
    const removed = await visitor.send(`/databases/${id}/remove`);
    expect(removed.path).toBe('/databases');
    expect(removed.text).toMatch(`Database ${username}_shop `);
    await waitUntil('the removal', async () => (await visitor.open(`/databases/${id}`)).status === 404);
    expect((await visitor.open('/databases')).text).toContain('There is no database yet.');
  });

  it('the page shows a database that is being removed, without its forms', async () => {
    const { visitor, id } = await withDatabase();
    rig.node.behaviour.fail = () => 'retryably';
    const removed = await visitor.send(`/databases/${id}/remove`);
    expect(removed.text).toMatch(/is being removed\..*removing/);
    const page = await visitor.open(`/databases/${id}`);
    expect(page.text).toContain('The server is removing this database');
    expect(page.html).not.toContain('/reset-password');
    const refused = await visitor.send(`/databases/${id}/allowed-ips`, { ip: '203.0.113.7' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('This database is being removed. State');
    rig.node.behaviour.fail = () => undefined;
    const isGone = async () => (await visitor.open(`/databases/${id}`)).status === 404;
    await waitUntil('the removal', isGone, AFTER_A_POLL);
    const again = await visitor.open(`/databases/${id}`, { 'X-Panel-Script': 'true' });
    expect([again.status, again.headers.get('X-Panel-Location')]).toEqual([204, '/databases']);
    expect((await visitor.open('/databases')).text).toContain('The database was removed.');
  });

  it('the database of an app cannot be removed', async () => {
    const customer = await withDatabase();
    const { insertId } = await rig.db
      .insertInto('apps')
      .values({
        account_id: customer.accountId,
        name: 'Blog',
        template_key: 'wordpress',
        status: 'running',
        created_at: new Date(),
        updated_at: new Date(),
      })
      .executeTakeFirstOrThrow();
    const app_id = Number(insertId);
    await rig.db.updateTable('databases').set({ app_id }).where('id', '=', customer.id).execute();
    const refused = await customer.visitor.send(`/databases/${customer.id}/remove`);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('This database belongs to an app, and is removed with it.');
    const page = await customer.visitor.open(`/databases/${customer.id}`);
    expect(page.text).toMatch(/belongs to the app Blog ?\. It is removed together with the app\./);
    expect(page.html).toContain(`<a href="/apps/${app_id}">Blog</a>`);
    expect(page.html).not.toContain('Remove the database');
    expect((await customer.visitor.open('/databases')).html).toContain(`<a href="/apps/${app_id}">Blog</a>`);
  });
});

it('a failed database shows the reason and the next step', async () => {
  const customer = await withDatabase();
  const reason = 'A database of this name is there already.';
  await rig.db
    .updateTable('databases')
    .set({ status: 'failed', status_reason: reason })
    .where('id', '=', customer.id)
    .execute();
  const { text } = await customer.visitor.open(`/databases/${customer.id}`);
  expect(text).toContain(`The server could not set up this database. Reason: ${reason}`);
  expect(text).toContain('send this message to your provider');
});

it('another account’s database gets 404 on every page and form', async () => {
  const { id } = await withDatabase();
  const { visitor } = await newCustomer(rig);
  for (const path of [`/databases/${id}`, '/databases/0', '/databases/x', '/databases/1e3'])
    expect((await visitor.open(path)).status, path).toBe(404);
  await visitor.open('/databases');
  for (const act of ['password', 'reset-password', 'allowed-ips', 'revoked-ips', 'remove']) {
    const { status, html } = await visitor.send(`/databases/${id}/${act}`, { ip: '203.0.113.7' });
    expect(status, act).toBe(404);
    expect(html).not.toContain('shop');
    await visitor.open('/databases');
  }
});

it('operators get 404, and a visitor is redirected to the sign-in', async () => {
  const { visitor } = await newCustomer(rig);
  await visitor.send('/logout');
  expect((await visitor.open('/databases')).path).toBe('/login?next=%2Fdatabases');
  await visitor.signIn('root-admin', 'correct horse battery');
  expect((await visitor.open('/databases')).status).toBe(404);
});

it('a login link opens the list', async () => {
  const { accountId } = await newCustomer(rig);
  const { page } = await followLink(rig, accountId, { target: 'databases' });
  expect(page).toMatchObject({ status: 200, path: '/databases' });
});
