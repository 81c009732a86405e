import { poolFields } from '@innkeeper/domain';
import { createPackage, createReseller } from '@innkeeper/services';
import { beforeAll, expect, it } from 'vitest';
import { STAFF_PASSWORD as password, useControlPlaneRig } from './control-plane-rig.ts';
import { signedIn } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let admin: PageVisitor;
let reseller: PageVisitor;
beforeAll(async () => {
  await createReseller(rig.operator, { username: 'other', email: 'other@example.com', password });
  admin = await signedIn(rig, 'root-admin');
  reseller = await signedIn(rig, 'acme');
});

const sizes = {
  disk_mb: '2000',
  bandwidth_mb: '20000',
  cpu_percent: '100',
  ram_mb: '512',
  max_domains: '5',
  max_databases: '5',
  max_apps: '5',
  max_cron_jobs: '5',
  max_ftp_logins: '7',
};
const unlimited = { io_read_mbps_unlimited: '1', io_write_mbps_unlimited: '1', max_processes_unlimited: '1' };

async function packageNamed(name: string) {
  const found = rig.db.selectFrom('packages').selectAll().where('name', '=', name);
  return await found.executeTakeFirst();
}

it('an admin creates a package with limited and unlimited resources, which resellers can sell', async () => {
  await admin.open('/packages/new');
  const refused = await admin.send('/packages/new', { name: 'Gold', ...sizes, ...unlimited });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('IOPS: enter a number or switch Unlimited on.'),
  ]);
  const bad = await admin.send('/packages/new', {
    name: '',
    ...sizes,
    ...unlimited,
    iops: '1',
  });
  expect(bad.text).toContain('Name is required.');
  expect(bad.text).toContain('IOPS must be at least 100.');
  const much = await admin.send('/packages/new', { name: 'Gold', ...sizes, ...unlimited, disk_mb: 'much' });
  expect(much.errorAt('disk_mb')).toBe('Disk space: enter a size, such as 5 GB or 500 MB.');
  expect(much.html).toContain('value="much"');
  const typed = { iops: '900', ram_mb: '1.5 GB', 'resellers[]': ['acme'] };
  const fields = { name: 'Gold', ...sizes, ...unlimited, ...typed };
  const { path, text } = await admin.send('/packages/new', fields);
  const gold = await packageNamed('Gold');
  expect([path, text]).toEqual([
    `/packages/${gold?.id}`,
    expect.stringContaining('The package Gold was created.'),
  ]);
  expect(gold).toMatchObject({
    iops: 900,
    max_ftp_logins: 7,
    io_read_mbps: null,
    disk_limit_mb: 2_000,
    ram_limit_mb: 1_536,
    is_internal: 0,
    owner_user_id: null,
  });
  expect((await admin.send('/packages/new', fields)).text).toContain('The name has already been taken');
  expect((await reseller.open(`/packages/${gold?.id}`)).status).toBe(200);
});

it('port 25 is closed; an admin opens and closes it for all accounts of a package', async () => {
  const id = rig.packages.large;
  expect((await reseller.open(`/packages/${id}`)).text).toContain('Outgoing SMTP (port 25) closed');
  expect(reseller.page.html).not.toContain('smtp-port-25');
  expect((await reseller.send(`/packages/${id}/smtp-port-25`, { smtp_port_25: '1' })).status).toBe(404);
  await admin.open(`/packages/${id}`);
  const opened = await admin.send(`/packages/${id}/smtp-port-25`, { smtp_port_25: '1' });
  expect([opened.path, opened.text]).toEqual([
    `/packages/${id}`,
    expect.stringContaining('Port 25 is open for Large.'),
  ]);
  expect(opened.text).toContain('Outgoing SMTP (port 25) open');
  const shown = await rig.ask('getPackage', { id, token: rig.resellerToken });
  expect(shown.body.data.smtp_port_25).toBe(true);
  const closed = await admin.send(`/packages/${id}/smtp-port-25`, { smtp_port_25: '0' });
  expect(closed.text).toContain('Outgoing SMTP (port 25) closed');
  await admin.open('/packages/new');
  const fields = { name: 'Mail', ...sizes, ...unlimited, iops_unlimited: '1', smtp_port_25: '1' };
  expect((await admin.send('/packages/new', fields)).text).toContain('Outgoing SMTP (port 25) open');
});

it('an admin assigns a package to one more reseller', async () => {
  const id = rig.packages.adminOnly;
  expect((await reseller.open(`/packages/${id}`)).status).toBe(404);
  await admin.open(`/packages/${id}`);
  const { text } = await admin.send(`/packages/${id}/assign`, { reseller: 'acme' });
  expect(text).toContain('acme can sell this package now.');
  expect(text).toContain('Resellers acme');
  expect((await reseller.open(`/packages/${id}`)).text).toContain('Admin only');
  const internal = await packageNamed('Custom');
  const refused = await admin.send(`/packages/${internal?.id}/assign`, { reseller: 'acme' });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('Package "Custom" cannot be assigned: it is internal.'),
  ]);
});

const theirSizes = {
  disk_mb: 2_000,
  bandwidth_mb: 20_000,
  cpu_percent: 100,
  ram_mb: 512,
  max_domains: 5,
  max_databases: 5,
  max_apps: 5,
  max_cron_jobs: 5,
};

it('a reseller sees the packages that it may sell, creates its own, and sees none of another reseller', async () => {
  const theirs = await createPackage(rig.operator, {
    name: 'Theirs',
    owner: 'other',
    ...theirSizes,
  });
  await reseller.open('/packages/new');
  const fields = {
    name: 'Mine',
    ...sizes,
    ...unlimited,
    iops_unlimited: '1',
    is_internal: '1',
    smtp_port_25: '1',
    'resellers[]': ['other'],
  };
  await reseller.send('/packages/new', fields);
  const mine = await packageNamed('Mine');
  expect(mine).toMatchObject({
    owner_user_id: rig.resellerId,
    is_internal: 0,
    iops: null,
    smtp_port_25: 0,
  });
  const { text } = await reseller.open('/packages');
  expect(text).toContain('Mine');
  expect(text).toContain('Small');
  expect(text).not.toContain('Theirs');
  expect(text).not.toContain('Custom');
  expect((await reseller.open(`/packages/${theirs.id}`)).status).toBe(404);
  await reseller.open('/packages');
  expect((await reseller.send(`/packages/${rig.packages.small}/assign`, { reseller: 'other' })).status).toBe(
    404,
  );
  expect((await admin.open('/packages')).text).toContain('Theirs');
});

it('an admin adds a reseller who can sign in; refusals appear at their fields', async () => {
  await admin.open('/resellers/new');
  const fields = { username: 'newcomer', name: 'New', email: 'new@example.com', password };
  const refused = await admin.send('/resellers/new', {
    ...fields,
    email: 'acme@panel.test',
    password: 'short',
  });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('Password must be at least 8 characters.'),
  ]);
  expect((await admin.send('/resellers/new', { ...fields, email: 'acme@panel.test' })).text).toContain(
    'Email address is already taken.',
  );
  expect((await admin.send('/resellers/new', fields)).path).toBe('/resellers/newcomer');
  const newcomer = new PageVisitor(rig.origin);
  expect((await newcomer.signIn('newcomer', password)).path).toBe('/');
  expect((await newcomer.open('/accounts')).text).toContain('There is no account yet.');
  expect((await admin.open('/resellers')).text).toContain('newcomer');
});

it('an admin sets a pool; the page shows what is allocated, and refuses less than that at the field', async () => {
  const package_id = rig.packages.small;
  await rig.createAccount({ username: 'pooled', password, package_id }, rig.resellerToken);
  await admin.open('/resellers/acme');
  expect(admin.page.text).toContain('Disk space 1,000 MB of unlimited');
  expect(admin.page.html).toMatch(/name="disk_mb_unlimited" value="1" checked/);
  const rest = Object.fromEntries(poolFields.map((field) => [`${field}_unlimited`, '1']));
  const limited = (fields: Record<string, string>) => ({
    ...rest,
    ...Object.fromEntries(Object.keys(fields).map((field) => [`${field}_unlimited`, ''])),
    ...fields,
  });
  const { text } = await admin.send('/resellers/acme/pool', {
    ...limited({ disk_mb: '4000', max_accounts: '3' }),
    overselling: '1',
  });
  expect(text).toContain('The pool was changed.');
  expect(text).toContain('Disk space 1,000 MB of 3.9 GB');
  expect(text).toContain('Accounts 1 of 3');
  const refused = await admin.send('/resellers/acme/pool', { disk_mb: '10', ram_mb: 'x', iops: '' });
  expect(refused.status).toBe(422);
  expect(refused.errorAt('ram_mb')).toBe('Memory: enter a size, such as 5 GB or 500 MB.');
  expect(refused.errorAt('iops')).toContain('enter a number or switch Unlimited on');
  const small = await admin.send('/resellers/acme/pool', limited({ disk_mb: '10', iops: '5000' }));
  expect(small.text).toContain("Disk space cannot be 10 MB: the reseller's accounts already have 1,000 MB");
  expect(small.text).toContain('1 of the reseller');
  const own = await reseller.open('/resellers');
  expect([own.status, own.text]).toEqual([200, expect.stringContaining('Disk space 1,000 MB of 3.9 GB')]);
  expect(own.html).not.toContain('<form method="post" action="/resellers');
});

it('only admins see other resellers and their pools', async () => {
  for (const path of ['/resellers/other', '/resellers/acme', '/resellers/new'])
    expect((await reseller.open(path)).status, path).toBe(404);
  await reseller.open('/resellers');
  for (const [path, fields] of [
    ['/resellers/acme/pool', { disk_mb: '' }],
    ['/resellers/new', { username: 'more', name: 'M', email: 'm@example.com', password }],
  ] as const) {
    await reseller.open('/resellers');
    expect((await reseller.send(path, fields)).status, path).toBe(404);
  }
  expect((await reseller.open('/resellers')).text).toContain('Disk space 1,000 MB of 3.9 GB');
  expect((await admin.open('/resellers/nobody')).status).toBe(404);
  expect((await admin.open('/resellers/root-admin')).status).toBe(404);
});

it('a package is changed in two steps, reaches its account, is copied, retired and deleted', async () => {
  const { id } = await createPackage(rig.operator, { name: 'Steps', resellers: ['acme'], ...theirSizes });
  const { id: account_id } = await rig.createAccount(
    { username: 'stepper', password, package_id: id },
    rig.resellerToken,
  );
  expect((await admin.open(`/packages/${id}/edit`)).html).toContain('value="Steps"');
  const fields = { name: 'Steps', ...sizes, ...unlimited, iops_unlimited: '1', slug: 'steps' };
  const wrong = await admin.send(`/packages/${id}/edit`, { ...fields, ram_mb: '1' });
  expect([wrong.status, wrong.errorAt('ram_mb')]).toEqual([422, expect.stringContaining('at least 128')]);
  const asked = await admin.send(`/packages/${id}/edit`, { ...fields, ram_mb: '700' });
  expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('1 account has this package.')]);
  expect(asked.text).toMatch(/Memory 512 MB 700 MB 1 /);
  expect(await packageNamed('Steps')).toMatchObject({ ram_limit_mb: 512 });
  const sent = await admin.send(`/packages/${id}/edit`, { ...fields, ram_mb: '700', accounts: 'follow' });
  expect(sent.path).toMatch(/^\/changes\/\d+$/);
  await expect
    .poll(async () => (await rig.ask('getAccount', { id: account_id })).body.data.ram_limit_mb, {
      timeout: 30_000,
    })
    .toBe(700);
  await expect
    .poll(async () => (await admin.open(sent.path)).text, { timeout: 30_000 })
    .toContain('Finished');
  expect((await admin.open('/changes')).text).toContain('Apply the new limits of a package');
  expect((await reseller.open(sent.path)).status).toBe(404);
  expect((await reseller.open(`/packages/${id}/edit`)).status).toBe(404);

  const copy = await admin.open(`/packages/new?copy=${id}`);
  expect(copy.html).toContain('value="Steps (copy)"');
  expect(copy.html).toContain('value="700 MB"');
  await admin.open(`/packages/${id}`);
  expect((await admin.send(`/packages/${id}/retire`)).text).toContain('Steps is retired');
  await admin.open(`/packages/${id}`);
  expect((await admin.send(`/packages/${id}/delete`)).text).toContain('1 account has this package.');
  const moved = await admin.send(`/packages/${id}/replace`, { to_package_id: String(rig.packages.large) });
  await expect
    .poll(async () => (await admin.open(moved.path)).text, { timeout: 30_000 })
    .toContain('Finished');
  expect(await packageNamed('Steps')).toBeUndefined();
});

it('an admin changes the contact and password of a reseller, and suspends it with its accounts', async () => {
  const path = '/resellers/newcomer';
  const newcomer = await signedIn(rig, 'newcomer');
  expect((await admin.open(path)).html).toContain(`href="${path}/access"`);
  await admin.open(`${path}/access`);
  const taken = await admin.send(`${path}/person`, { name: 'N', email: 'acme@panel.test' });
  expect([taken.status, taken.errorAt('email')]).toEqual([422, 'Email address is already taken.']);
  const saved = await admin.send(`${path}/person`, { name: 'N', email: 'n2@example.com' });
  expect(saved.text).toContain('The name and email address of newcomer were saved.');
  const short = await admin.send(`${path}/password`, { password: 'x' });
  expect(short.errorAt('password')).toContain('at least 8');
  expect((await newcomer.open('/accounts')).status).toBe(200);
  await admin.open(`${path}/access`);
  expect((await admin.send(`${path}/suspend`)).text).toContain('newcomer is suspended.');
  expect((await newcomer.open('/accounts')).path).toMatch(/^\/login/);
  expect((await admin.open('/resellers')).text).toContain('newcomer Suspended');
  await admin.open(`${path}/access`);
  await admin.send(`${path}/unsuspend`);
  expect((await admin.open('/resellers')).text).not.toContain('Suspended');
  await reseller.open('/resellers');
  expect((await reseller.open(`${path}/access`)).status).toBe(404);
});

it('an operator changes the name and address of an account', async () => {
  const { id } = await rig.createAccount({ username: 'renamed', password }, rig.resellerToken);
  await reseller.open(`/accounts/${id}/person`);
  const refused = await reseller.send(`/accounts/${id}/person`, { name: 'A', email: 'acme@panel.test' });
  expect(refused.errorAt('email')).toBe('Email address is already taken.');
  const saved = await reseller.send(`/accounts/${id}/person`, { name: 'Anna', email: 'anna@example.com' });
  expect([saved.path, saved.text]).toEqual([`/accounts/${id}`, expect.stringContaining('anna@example.com')]);
});

it('customers get 404 for these pages', async () => {
  const customer = await signedIn(rig, 'pooled');
  for (const path of [
    '/packages',
    `/packages/${rig.packages.small}`,
    '/resellers',
    '/audit',
    '/nodes',
    '/changes',
  ])
    expect((await customer.open(path)).status, path).toBe(404);
});
