import { createReseller, setPool } from '@innkeeper/services';
import { waitUntil } from '@innkeeper/testkit';
import { beforeAll, expect, it } from 'vitest';
import { insertAccount } from '../account-records.ts';
import { STAFF_PASSWORD as password, useControlPlaneRig } from './control-plane-rig.ts';
import { signedIn } from './customer.ts';
import { PageVisitor, unescaped } from './page-visitor.ts';

const rig = useControlPlaneRig();
let admin: PageVisitor;
let reseller: PageVisitor;

beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
  reseller = await signedIn(rig, 'acme');
});

const person = (username: string) => ({
  username,
  name: 'A Customer',
  email: `${username}@example.com`,
  password: 'correct horse',
});
const ownLimits = {
  disk_limit_mb: '500',
  bandwidth_limit_mb: '1000',
  cpu_limit_percent: '50',
  ram_limit_mb: '256',
  max_domains: '3',
  max_databases: '2',
  max_apps: '1',
};

async function create(visitor: PageVisitor, username: string, more: Record<string, string> = {}) {
  await visitor.open('/accounts/new');
  const package_id = String(rig.packages.small);
  return await visitor.send('/accounts/new', { ...person(username), package_id, ...more });
}

/** The id of the account of a result card. */
function createdId({ html }: { html: string }): number {
  const [, id] = /<a class="btn btn-primary" href="\/accounts\/(\d+)">Go to the account</.exec(html) ?? [];
  expect(id).toBeDefined();
  return Number(id);
}

/** Creates an account, opens its page and returns its id. */
async function made(
  visitor: PageVisitor,
  username: string,
  more: Record<string, string> = {},
): Promise<number> {
  const id = createdId(await create(visitor, username, more));
  await visitor.open(`/accounts/${id}`);
  return id;
}

async function accountOf(id: number) {
  return (await rig.ask('getAccount', { id })).body.data;
}

async function actionsOf(id: number): Promise<string[]> {
  const rows = rig.db.selectFrom('audit_log').select('action').where('account_id', '=', id).orderBy('id');
  return (await rows.execute()).map(({ action }) => action);
}

it('an operator creates an account with a package, can replace limits, and sees the result', async () => {
  const created = await create(admin, 'packed', { iops: '700', max_domains: '', terminal_access: '1' });
  const id = createdId(created);
  expect(created.text).toContain('The account packed is ready.');
  await admin.open(`/accounts/${id}`);
  expect(admin.page.text).toContain('Everything works.');
  expect(admin.page.text).toContain('Server web1');
  expect(await accountOf(id)).toMatchObject({
    package_id: rig.packages.small,
    iops: 700,
    io_write_mbps: 50,
    max_domains: 2,
    terminal_access: true,
  });
});

it('an operator creates an account with custom limits, each a number or unlimited', async () => {
  await admin.open('/accounts/new/custom');
  const fields = {
    ...person('custom1'),
    ...ownLimits,
    iops: '500',
    io_read_mbps: '10',
    max_processes_unlimited: '1',
  };
  const refused = await admin.send('/accounts/new/custom', {
    ...fields,
    ram_limit_mb: '',
  });
  expect(refused.status).toBe(422);
  expect(refused.errorAt('io_write_mbps')).toContain('enter a number or switch Unlimited on');
  expect(refused.errorAt('ram_limit_mb')).toContain('Memory is required');
  expect(refused.html).not.toContain('correct horse"');
  const ignored = { io_write_mbps: '7 GB/s', io_write_mbps_unlimited: '1' };
  const created = await admin.send('/accounts/new/custom', { ...fields, ...ignored });
  expect(created.text).toContain('Package Custom limits');
  expect(await accountOf(createdId(created))).toMatchObject({
    iops: 500,
    io_read_mbps: 10,
    io_write_mbps: null,
    max_processes: null,
    terminal_access: false,
    disk_limit_mb: 500,
  });
});

/** The lines of the text to copy on a result card, by their names. */
function cardOf({ html }: { html: string }): Record<string, string> {
  const [, text = ''] = /<textarea id="access-details"[^>]*>([^<]*)<\/textarea>/.exec(html) ?? [];
  return Object.fromEntries(
    unescaped(text)
      .split('\n')
      .map((line) => /^([^:]+): (.*)$/.exec(line)?.slice(1) ?? []),
  );
}

it('the result of a create has everything to hand over, once, and a reload neither creates nor shows it again', async () => {
  const { address } = await rig.db
    .selectFrom('nodes')
    .select('address')
    .where('name', '=', 'web1')
    .executeTakeFirstOrThrow();
  const typed = {
    ...person('handover'),
    package_id: String(rig.packages.small),
    password: ' a "typed" <one> ',
  };
  await admin.open('/accounts/new');
  const created = await admin.send('/accounts/new', { ...typed, terminal_access: '1' });
  expect(created.status).toBe(200);
  expect(cardOf(created)).toEqual({
    'Panel URL': 'https://panel.example.com',
    Username: 'handover',
    Password: typed.password,
    'Server address': address,
    'SSH command': expect.stringMatching(new RegExp(`^ssh \\w+@${address}$`)),
    'SFTP address': expect.stringContaining('sftp://'),
    Package: 'Small',
    'DNS record for each domain': expect.stringMatching(new RegExp(`^(A|AAAA|CNAME) ${address}$`)),
  });
  const accounts = await rig.db.selectFrom('accounts').select('id').execute();
  await admin.open('/accounts/new');
  const reloaded = await admin.send('/accounts/new', { ...typed, terminal_access: '1' });
  expect([reloaded.status, reloaded.errorAt('username')]).toEqual([422, 'Username is already taken.']);
  const { html } = await admin.open(`/accounts/${createdId(created)}`);
  for (const shown of [reloaded.html, html, ...admin.cookies.values()])
    expect(unescaped(shown)).not.toContain(typed.password);
  expect(await rig.db.selectFrom('accounts').select('id').execute()).toEqual(accounts);
  expect((await new PageVisitor(rig.origin).signIn('handover', typed.password)).path).toBe('/');
});

it('an empty password field generates one, and a form without the field is refused', async () => {
  const { password: _, ...fields } = { ...person('random1'), package_id: String(rig.packages.small) };
  await admin.open('/accounts/new');
  const refused = await admin.send('/accounts/new', fields);
  expect([refused.status, refused.errorAt('password')]).toEqual([422, 'Password is required.']);
  const created = await admin.send('/accounts/new', { ...fields, password: '' });
  const card = cardOf(created);
  expect(card.Password).toMatch(/^[A-Za-z0-9]{20}$/);
  expect(card).not.toHaveProperty('SSH command');
  expect((await new PageVisitor(rig.origin).signIn('random1', card.Password ?? '')).path).toBe('/');
  const other = await create(admin, 'random2', { password: '' });
  expect(cardOf(other).Password).not.toBe(card.Password);
});

it('a refused create has each error at its field, and keeps the input', async () => {
  await made(admin, 'taken1');
  const refused = await create(admin, 'taken1', { email: 'no address', disk_limit_mb: '1' });
  expect(refused.status).toBe(422);
  expect(refused.errorAt('email')).toContain('Enter a valid email address.');
  expect(refused.errorAt('disk_limit_mb')).toContain('must be at least 100');
  expect(refused.html).toContain('value="no address"');
  const taken = await create(admin, 'taken1');
  expect(taken.errorAt('username')).toBe('Username is already taken.');
});

it('a new account can have its first domain; a wrong one creates nothing', async () => {
  const wrong = await create(admin, 'domained1', { domain_name: 'no domain', email: 'no address' });
  expect([wrong.status, wrong.errorAt('domain_name')]).toEqual([422, expect.stringMatching(/./)]);
  expect(wrong.errorAt('email')).toBe('Enter a valid email address.');
  const created = await create(admin, 'domained1', { domain_name: 'https://www.Domained.example/shop' });
  const id = createdId(created);
  expect(created.text).toContain('domained.example');
  expect(await accountOf(id)).toMatchObject({
    domains: [{ domain_name: 'domained.example', is_primary: true }],
  });
  const taken = await create(admin, 'domained2', { domain_name: 'domained.example' });
  expect([taken.status, taken.errorAt('domain_name')]).toEqual([422, 'Domain is already taken.']);
  expect(taken.html).toContain('value="domained.example"');
  const rows = rig.db.selectFrom('accounts').select('id').where('username', '=', 'domained2');
  expect(await rows.execute()).toEqual([]);
});

it('a create over the pool has its error at the limit, one over the number of accounts above the form', async () => {
  const pool = { disk_mb: 1_500, ram_mb: 10_000 };
  await setPool(rig.operator, { reseller: 'acme', ...pool });
  await made(reseller, 'pooled1');
  const full = await create(reseller, 'pooled2');
  expect(full.status).toBe(422);
  expect(full.errorAt('disk_limit_mb')).toContain(
    'is more than what is left of the pool of the reseller (500 MB)',
  );
  await setPool(rig.operator, { reseller: 'acme', disk_mb: null, ram_mb: null, max_accounts: 1 });
  const many = await create(reseller, 'pooled2');
  expect([many.status, many.text]).toEqual([422, expect.stringContaining('Account limit reached (1).')]);
  await setPool(rig.operator, { reseller: 'acme', max_accounts: null });
});

it('the page says that a create was rolled back because the server refused it, and gives only admins the reason', async () => {
  rig.node.behaviour.fail = ({ desired_state }) => (desired_state === 'active' ? 'permanently' : undefined);
  const refused = await create(admin, 'undone1');
  expect(refused.status).toBe(503);
  expect(refused.text).toContain(
    'The server could not create the account undone1. The creation was rolled back.',
  );
  expect(refused.text).toContain('The simulated node fails permanently.');
  const others = await create(reseller, 'undone2');
  expect([others.status, others.text]).toEqual([
    503,
    expect.stringContaining('The creation was rolled back'),
  ]);
  expect(others.text).not.toContain('simulated');
  rig.node.behaviour.fail = () => undefined;
  const rows = rig.db
    .selectFrom('audit_log')
    .select('account_id')
    .where('action', '=', 'account.create_failed');
  const [mine, theirs] = (await rows.orderBy('id').execute()).map(({ account_id }) => account_id);
  for (const id of [mine, theirs])
    await waitUntil(
      'the account is gone',
      async () => (await rig.ask('getAccount', { id: id ?? 0 })).status === 404,
    );
  const gone = await admin.open(`/accounts/${mine}`);
  expect([gone.status, gone.text]).toEqual([
    404,
    expect.stringContaining('The simulated node fails permanently.'),
  ]);
  const told = await reseller.open(`/accounts/${theirs}`);
  expect([told.status, told.text]).toEqual([404, expect.stringContaining('could not be created')]);
  expect(told.text).not.toContain('simulated');
  expect((await reseller.open(`/accounts/${mine}`)).text).not.toContain('could not be created');
});

it('the page says that the server could not apply a change', async () => {
  const id = await made(admin, 'stuck1');
  rig.node.behaviour.fail = ({ account_id }) => (account_id === id ? 'permanently' : undefined);
  const body = { package_id: rig.packages.large };
  expect((await rig.ask('changeAccountPackage', { id, body })).body.data.synced).toBe(false);
  const { text, html } = await admin.open(`/accounts/${id}`);
  rig.node.behaviour.fail = () => undefined;
  expect(text).toContain('1 thing needs attention');
  expect(text).not.toContain('Everything works');
  expect(html).not.toContain('data-live');
  const shown = /<a href="\/accounts\/(\d+)" aria-label="1 thing needs attention">/g;
  const marked = [...(await admin.open('/accounts?q=stuck')).html.matchAll(shown)].map(([, of]) =>
    Number(of),
  );
  expect(marked).toEqual([id]);
  expect((await admin.open('/accounts?q=packed')).text).toContain('packed packed@example.com active');
});

it('the page says that the server is applying a change, and refreshes itself', async () => {
  rig.node.behaviour.delayMs = () => 4_000;
  const created = await create(admin, 'late1');
  const id = createdId(created);
  expect(created.text).toContain('The server is creating the account late1.');
  await admin.open(`/accounts/${id}`);
  expect(admin.page.text).toContain('The server is applying the newest changes.');
  expect(admin.page.html).toContain(`data-live="/accounts/${id}"`);
  await waitUntil('the account is synced', async () => (await accountOf(id)).synced, { timeoutMs: 30_000 });
  expect((await admin.open(`/accounts/${id}`)).html).not.toContain('data-live');
});

it('an operator suspends and unsuspends an account', async () => {
  const id = await made(admin, 'stopped1');
  const suspended = await admin.send(`/accounts/${id}/suspend`);
  expect(suspended.text).toContain('stopped1 is suspended.');
  expect(suspended.text).toContain('Its sites show a suspension page');
  expect(suspended.text).not.toContain('Everything works');
  expect(await accountOf(id)).toMatchObject({ status: 'suspended', synced: true });
  expect((await admin.send(`/accounts/${id}/log-in`)).text).toContain('This account is suspended.');
  expect([...admin.cookies.keys()].filter((name) => name.includes('_as_'))).toEqual([]);
  expect((await admin.send(`/accounts/${id}/unsuspend`)).text).toContain('stopped1 is active again.');
  expect(await accountOf(id)).toMatchObject({ status: 'active', synced: true });
});

it('an operator changes the package, and sees why another one is refused', async () => {
  const id = await made(admin, 'moved1');
  await admin.open(`/accounts/${id}/package`);
  const { text } = await admin.send(`/accounts/${id}/package`, { package_id: String(rig.packages.large) });
  expect(text).toContain('The package is now Large.');
  const again = await admin.send(`/accounts/${id}/package`, { package_id: String(rig.packages.large) });
  expect([again.status, again.text]).toEqual([
    422,
    expect.stringContaining('The account is already on this package.'),
  ]);
  const none = await admin.send(`/accounts/${id}/package`, { package_id: '424242' });
  expect(none.errorAt('package_id')).toBe('Package: this choice is not available.');
});

it('an operator keeps, sets or removes each limit that may be unlimited', async () => {
  const id = await made(admin, 'limited1', { iops: '700', max_processes: '60' });
  const choices = {
    io_read_mbps: '20',
    io_write_mbps_unlimited: '1',
    iops: '700',
  };
  await admin.open(`/accounts/${id}/limits`);
  expect(admin.page.html).toMatch(/value="700" class="input" id="field-iops"/);
  expect(admin.page.html).toMatch(/name="io_read_mbps_unlimited" value="1" checked/);
  const fields = { ...ownLimits, ...choices, max_processes: '60', terminal_access: '1' };
  const unclear = await admin.send(`/accounts/${id}/limits`, {
    ...fields,
    iops: '',
    io_read_mbps: '',
    ram_limit_mb: '1',
  });
  expect(unclear.status).toBe(422);
  expect(unclear.errorAt('iops')).toContain('enter a number');
  expect(unclear.errorAt('io_read_mbps')).toContain('enter a number');
  expect(unclear.errorAt('ram_limit_mb')).toContain('must be at least 128');
  const { text } = await admin.send(`/accounts/${id}/limits`, fields);
  expect(text).toContain('The limits were changed.');
  expect(await accountOf(id)).toMatchObject({
    io_read_mbps: 20,
    io_write_mbps: null,
    iops: 700,
    max_processes: 60,
    disk_limit_mb: 500,
    terminal_access: true,
  });
});

it('an operator sets a password with which the customer signs in', async () => {
  const id = await made(admin, 'renewed1');
  await admin.open(`/accounts/${id}/password`);
  const short = await admin.send(`/accounts/${id}/password`, { password: 'short' });
  expect(short.errorAt('password')).toContain('at least 8 characters');
  expect((await admin.send(`/accounts/${id}/password`, { password: ' another one ' })).text).toContain(
    'The password was set.',
  );
  const customer = new PageVisitor(rig.origin);
  expect((await customer.signIn('renewed1', ' another one ')).path).toBe('/');
});

/** Turns two-factor authentication on in the database, as if the signed-in user had done it. */
async function withSecondFactor(username: string): Promise<void> {
  await rig.db
    .updateTable('users')
    .set({ totp_sealed_secret: 'x', totp_confirmed_at: new Date(), totp_last_step: 1 })
    .where('username', '=', username)
    .execute();
}

it('the account’s admin or reseller resets a lost second factor, which signs the user out', async () => {
  for (const [operator, username] of [
    [admin, 'lost1'],
    [reseller, 'lost2'],
  ] as const) {
    const id = await made(operator, username);
    const path = `/accounts/${id}/second-factor/reset`;
    expect(operator.page.html).not.toContain(path);
    const none = await operator.send(path);
    expect([none.status, none.text]).toEqual([
      422,
      expect.stringContaining(`${username} has no second factor.`),
    ]);
    const customer = new PageVisitor(rig.origin);
    await customer.signIn(username, 'correct horse');
    await withSecondFactor(username);
    const { html, text } = await operator.open(`/accounts/${id}`);
    expect(html).toMatch(
      new RegExp(
        `<details class="confirm"><summary[^>]*>Reset</summary><form method="post" action="${path}"`,
      ),
    );
    expect(text).toContain(`${username} is signed out everywhere. Reset for ${username}`);
    const done = await operator.send(path);
    expect(done).toMatchObject({ status: 200, path: `/accounts/${id}` });
    expect(done.text).toContain(`Two-factor authentication of ${username} is off.`);
    expect(done.html).not.toContain(path);
    expect((await customer.open('/')).path).toBe('/login');
    expect((await customer.signIn(username, 'correct horse')).path).toBe('/');
    expect(customer.page.text).toContain('Your provider turned off two-factor authentication.');
    expect(await actionsOf(id)).toContain('totp.reset');
  }
});

it('an admin resets the second factor of a reseller', async () => {
  await createReseller(rig.operator, { username: 'forgetful', email: 'f@resellers.test', password });
  const forgetful = await signedIn(rig, 'forgetful');
  const path = '/resellers/forgetful/second-factor/reset';
  expect((await admin.open('/resellers/forgetful')).html).not.toContain(path);
  await withSecondFactor('forgetful');
  expect((await admin.open('/resellers/forgetful')).html).toContain(`action="${path}"`);
  const done = await admin.send(path);
  expect(done).toMatchObject({ status: 200, path: '/resellers/forgetful' });
  expect(done.text).toContain('Two-factor authentication of forgetful is off.');
  expect((await forgetful.open('/accounts')).path).toMatch(/^\/login/);
  const again = await admin.send(path);
  expect([again.status, again.text]).toEqual([
    422,
    expect.stringContaining('forgetful has no second factor.'),
  ]);
});

it('nobody else can reset a second factor', async () => {
  const [mine, foreign] = [await made(reseller, 'kept1'), await made(admin, 'kept2')];
  const users = ['kept1', 'kept2', 'acme', 'root-admin', 'bystander'];
  await createReseller(rig.operator, { username: 'bystander', email: 'b@resellers.test', password });
  const customer = await signedIn(rig, 'kept1', 'correct horse');
  const bystander = await signedIn(rig, 'bystander');
  for (const username of users) await withSecondFactor(username);
  const account = (id: number) => `/accounts/${id}/second-factor/reset`;
  const colleague = (name: string) => `/resellers/${name}/second-factor/reset`;
  const attempts: readonly [PageVisitor, string][] = [
    [reseller, account(foreign)],
    [bystander, account(mine)],
    [bystander, colleague('acme')],
    [bystander, colleague('bystander')],
    [customer, account(mine)],
    [customer, colleague('acme')],
    [admin, colleague('root-admin')],
    [admin, colleague('kept1')],
  ];
  for (const [visitor, path] of attempts) {
    await visitor.open('/security');
    expect((await visitor.send(path)).status, path).toBe(404);
  }
  await admin.open(`/accounts/${mine}`);
  const { path: as } = await admin.send(`/accounts/${mine}/log-in`);
  expect((await admin.send(`${as}accounts/${mine}/second-factor/reset`)).status, 'as the user').toBe(404);
  await admin.send(`${as}return`);
  await admin.open(`/accounts/${mine}`);
  for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
    expect((await admin.send(account(mine), {}, headers)).status, 'another site').toBe(403);
  admin.page.html = '';
  expect((await admin.send(account(mine))).status, 'no token').toBe(403);
  const left = rig.db.selectFrom('users').select('username').where('totp_confirmed_at', 'is not', null);
  expect((await left.execute()).map(({ username }) => username).sort()).toEqual(users.sort());
  await rig.db.updateTable('users').set({ totp_confirmed_at: null }).execute();
});

it('an operator terminates an account by typing its name', async () => {
  const id = await made(admin, 'ended1');
  const wrong = await admin.send(`/accounts/${id}/terminate`, { username: 'ended2' });
  expect(wrong.status).toBe(422);
  expect(wrong.errorAt('username')).toContain('Nothing was changed');
  expect(wrong.html).toMatch(/<details class="confirm" open[^>]*><summary[^>]*>Terminate/);
  expect((await admin.send(`/accounts/${id}/terminate`)).status).toBe(422);
  expect(await accountOf(id)).toMatchObject({ status: 'active' });
  const right = await admin.send(`/accounts/${id}/terminate`, { username: ' Ended1 ' });
  expect([right.path, right.text]).toEqual([
    '/accounts',
    expect.stringContaining('The account ended1 was removed.'),
  ]);
  expect((await admin.open(`/accounts/${id}`)).status).toBe(404);
});

it('the search finds accounts by a part of a name, in pages without a total', async () => {
  const crowd = { node_id: rig.node.id, package_id: rig.packages.adminOnly, state: 'suspended' as const };
  for (let index = 100; index < 220; index += 1)
    await insertAccount(rig.db, { ...crowd, username: `crowd${index}` });
  const listed = () =>
    [...admin.page.html.matchAll(/aria-label="Select (crowd\d+)"/g)].map(([, username]) => username);
  await admin.open(`/accounts?status=suspended&package=${rig.packages.adminOnly}`);
  expect([listed().length, listed()[0]]).toEqual([50, 'crowd100']);
  expect(admin.page.html).not.toContain('rel="prev"');
  await admin.open(next());
  await admin.open(next());
  expect([listed().length, listed().at(-1)]).toEqual([20, 'crowd219']);
  expect(admin.page.html).not.toContain('rel="next"');
  await admin.open(`/accounts?status=suspended&package=${rig.packages.adminOnly}&page=9`);
  expect([listed().length, listed()[0]]).toEqual([50, 'crowd100']);
  await admin.open('/accounts?q=CROWD21');
  expect(listed()).toHaveLength(10);
  await admin.open('/accounts?q=rowd21');
  expect(listed()).toHaveLength(10);
  expect(admin.page.text).toContain('10 results');
  expect((await admin.open('/accounts?q=crowd')).text).toContain('There are more results.');
  expect((await admin.open('/accounts?q=crowd111%40')).text).toContain('crowd111@example.com');
  expect((await reseller.open('/accounts?q=crowd')).text).toContain('No account matches.');
  for (const odd of ['?status=odd', '?package=x', '?node=1e3', '?q=%00', '?page=x', '?reseller=-1'])
    expect((await admin.open(`/accounts${odd}`)).status, odd).toBe(200);
});

function next(): string {
  const href = /href="([^"]+)"[^>]*>Next|rel="next" href="([^"]+)"/.exec(admin.page.html);
  return (href?.[1] ?? href?.[2] ?? '').replaceAll('&amp;', '&');
}

it('the list shows the number of accounts', async () => {
  const { body } = await rig.ask('listAccounts', {});
  expect((await admin.open('/accounts')).text).toContain(`Total: ${body.total}`);
  expect((await admin.open('/accounts?page=99999')).path).toBe('/accounts');
  expect((await admin.open('/accounts?more=1')).text).toContain('Server Any web1');
  const own = await reseller.open('/accounts?more=1');
  expect(own.text).not.toContain('Server');
  expect(own.text).not.toContain('packed');
  expect(own.text).toContain('lost2');
});

it('a long list has a form that leads to a page by its number', async () => {
  expect((await admin.open('/accounts')).html).not.toContain('page-jump');
  const total = rig.db
    .updateTable('record_counts')
    .where('record', '=', 'accounts')
    .where('scope_id', '=', 0);
  const changed = total.where('slot', '=', 0);
  await changed.set((eb) => ({ records: eb('records', '+', 400) })).execute();
  try {
    const { html } = await admin.open('/accounts');
    expect(html).toContain('<form method="get" action="/accounts" class="page-jump">');
    expect(html).toMatch(/name="page" value="1" min="1" max="(?:8|9)" required/);
    const beyond = await admin.open('/accounts?page=99999');
    expect(beyond.path).toMatch(/^\/accounts\?page=(?:8|9)$/);
  } finally {
    await changed.set((eb) => ({ records: eb('records', '-', 400) })).execute();
  }
});

it('another reseller’s account gets 404 on every page and form', async () => {
  const foreign = await made(admin, 'foreign1');
  const before = await accountOf(foreign);
  for (const path of ['', '/package', '/limits', '/password'])
    expect((await reseller.open(`/accounts/${foreign}${path}`)).status, path).toBe(404);
  await reseller.open('/accounts/new');
  for (const verb of ['suspend', 'unsuspend', 'log-in', 'terminate', 'package', 'limits', 'password']) {
    const fields = { username: 'foreign1', package_id: String(rig.packages.small), password, ...ownLimits };
    await reseller.open('/accounts/new');
    const { status } = await reseller.send(`/accounts/${foreign}/${verb}`, {
      ...fields,
      ...Object.fromEntries(
        ['io_read_mbps', 'io_write_mbps', 'iops', 'max_processes'].map((l) => [`${l}_unlimited`, '1']),
      ),
    });
    expect(status, verb).toBe(404);
  }
  expect(await accountOf(foreign)).toEqual(before);
  await made(admin, 'customer1');
  const customer = await signedIn(rig, 'customer1', 'correct horse');
  for (const path of ['/accounts', '/accounts/new', '/accounts/new/custom', `/accounts/${foreign}`])
    expect((await customer.open(path)).status, path).toBe(404);
  const visitor = new PageVisitor(rig.origin);
  expect((await visitor.open('/accounts')).path).toBe('/login?next=%2Faccounts');
});
