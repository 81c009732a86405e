import { createReseller, listResellers, setPool } from '@innkeeper/services';
import { waitUntil } from '@innkeeper/testkit';
import { beforeAll, expect, it } from 'vitest';
import { STAFF_PASSWORD as password, useControlPlaneRig } from './control-plane-rig.ts';
import { signedIn } from './customer.ts';
import { PageVisitor } from './page-visitor.ts';

/** The end of a reseller in the panel: its accounts get another manager, and it is deleted. */
const rig = useControlPlaneRig();
let admin: PageVisitor;
beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
});

async function addReseller(username: string): Promise<PageVisitor> {
  await createReseller(rig.operator, { username, email: `${username}@resellers.test`, password });
  return await signedIn(rig, username);
}

/** Creates an account of a reseller in its own panel. Returns the account's id. */
async function made(reseller: PageVisitor, username: string): Promise<number> {
  await reseller.open('/accounts/new');
  const { text } = await reseller.send('/accounts/new', {
    username,
    name: 'A Customer',
    email: `${username}@example.com`,
    password: 'correct horse',
    package_id: String(rig.packages.small),
  });
  expect(text).toContain('Go to the account');
  const found = rig.db.selectFrom('accounts').select('id').where('username', '=', username);
  return (await found.executeTakeFirstOrThrow()).id;
}

async function managerOf(accountId: number): Promise<string | null> {
  const found = await rig.db
    .selectFrom('accounts')
    .leftJoin('users', 'users.id', 'accounts.reseller_user_id')
    .select('users.username')
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow();
  return found.username;
}

const namesOfResellers = async () => (await listResellers(rig.operator)).map(({ username }) => username);

it('an account gets another manager, and the former one no longer sees it', async () => {
  const acme = await signedIn(rig, 'acme');
  const id = await made(acme, 'moving1');
  expect(await managerOf(id)).toBe('acme');
  await addReseller('taker');
  const { text } = await admin.open(`/accounts/${id}/hand-over`);
  expect(text).toContain('The limits count in the pool of the new manager.');
  const unknown = await admin.send(`/accounts/${id}/hand-over`, { to: 'nobody' });
  expect(unknown.status).toBe(422);
  expect(unknown.text).toContain('There is no such reseller.');
  await setPool(rig.operator, { reseller: 'taker', disk_mb: 1 });
  const small = await admin.send(`/accounts/${id}/hand-over`, { to: 'taker' });
  expect(small.text).toContain('The pool of taker is too small');
  expect(await managerOf(id)).toBe('acme');

  await setPool(rig.operator, { reseller: 'taker', disk_mb: null });
  const done = await admin.send(`/accounts/${id}/hand-over`, { to: 'taker', assign_packages: '1' });
  expect(done).toMatchObject({ status: 200, path: `/accounts/${id}` });
  expect(done.text).toContain('taker manages moving1 now.');
  expect(await managerOf(id)).toBe('taker');
  expect((await acme.open(`/accounts/${id}`)).status).toBe(404);
  const taker = await signedIn(rig, 'taker');
  expect((await taker.open(`/accounts/${id}`)).status).toBe(200);
  expect((await taker.open('/packages')).text).toContain('Small');
  await admin.send(`/accounts/${id}/hand-over`, { to: '' });
  expect(await managerOf(id)).toBeNull();
});

it('a reseller with accounts is handed over and deleted; the page shows what changes first', async () => {
  await addReseller('leaver');
  const small = rig.packages.small;
  await admin.open(`/packages/${small}`);
  await admin.send(`/packages/${small}/assign`, { reseller: 'leaver' });
  const leaver = await signedIn(rig, 'leaver');
  const ids = [await made(leaver, 'heir1'), await made(leaver, 'heir2')];
  await addReseller('modest');
  await setPool(rig.operator, { reseller: 'modest', max_accounts: 1 });

  const page = await admin.open('/resellers/leaver/hand-over');
  expect(page.text).toContain('2 accounts get another manager.');
  const full = await admin.send('/resellers/leaver/hand-over', { to: 'modest' });
  expect(full.text).toContain('The pool of modest is too small. Enlarge it first:');
  expect(full.text).not.toContain('Hand over the accounts and');
  expect(full.html).not.toContain('name="confirmed"');

  const asked = { to: '', then_delete: '1', unused_packages: 'keep' };
  const preview = await admin.send('/resellers/leaver/hand-over', asked);
  expect(preview.text).toContain('2 accounts go to We ourselves');
  expect(preview.text).toContain('leaver is deleted afterwards.');
  expect(await namesOfResellers()).toContain('leaver');
  const begun = await admin.send('/resellers/leaver/hand-over', { ...asked, confirmed: '1' });
  expect(begun.path).toMatch(/^\/changes\/\d+$/);
  expect(begun.text).toContain('2 accounts are handed over in the background.');
  await waitUntil('the end of the reseller', async () => !(await namesOfResellers()).includes('leaver'), {
    timeoutMs: 60_000,
  });
  expect(await Promise.all(ids.map(managerOf))).toEqual([null, null]);
  expect((await leaver.open('/accounts')).path).toMatch(/^\/login/);
});

it('a reseller without accounts is deleted, and its packages go where the admin says', async () => {
  const owner = await addReseller('owner1');
  await owner.open('/packages/new');
  const limits = {
    disk_mb: '1 GB',
    bandwidth_mb: '10 GB',
    ram_mb: '512 MB',
    cpu_percent: '100',
    max_processes: '50',
    max_domains: '1',
    max_databases: '1',
    max_apps: '1',
    max_cron_jobs: '1',
    io_read_mbps_unlimited: '1',
    io_write_mbps_unlimited: '1',
    iops_unlimited: '1',
  };
  const created = await owner.send('/packages/new', { name: 'Of owner1', ...limits });
  expect(created.text).toContain('The package Of owner1 was created.');
  const { text } = await admin.open('/resellers/owner1/hand-over');
  expect(text).toContain('The reseller has no account.');
  const deleted = await admin.send('/resellers/owner1/delete', {
    packages_to: 'acme',
    unused_packages: 'keep',
  });
  expect(deleted).toMatchObject({ status: 200, path: '/resellers' });
  expect(deleted.text).toContain('owner1 was deleted.');
  expect(await namesOfResellers()).not.toContain('owner1');
  expect((await (await signedIn(rig, 'acme')).open('/packages')).text).toContain('Of owner1');
  expect((await admin.open('/resellers/owner1/hand-over')).status).toBe(404);
});

it('a reseller sets its password with a link that works once, and nobody else knows it', async () => {
  await admin.open('/resellers/new');
  const fields = { username: 'linked', name: 'Linked', email: 'linked@resellers.test', password: '' };
  const made = await admin.send('/resellers/new', fields);
  expect(made.text).toContain('Send this link to linked. It works once, for 48 hours');
  const linkIn = (html: string) =>
    new URL(/value="(https?:[^"]+\/password\/link\/[\w-]{43})"/.exec(html)?.[1] ?? '');
  const first = linkIn(made.html);
  await admin.open('/resellers/linked/access');
  const renewed = await admin.send('/resellers/linked/password-link');
  const link = linkIn(renewed.html);
  expect((await admin.open('/resellers/linked/access')).html).not.toContain('/password/link/');
  const visitor = new PageVisitor(rig.origin);
  const form = await visitor.open(link.pathname);
  expect([form.status, form.path]).toEqual([200, '/password/new']);
  const typed = { password: 'battery staple horse', repeated_password: 'battery staple horse' };
  expect((await visitor.send('/password/new', typed)).path).toBe('/login');
  for (const used of [link, first]) expect((await visitor.open(used.pathname)).status).toBe(403);
  expect((await visitor.signIn('linked', 'battery staple horse')).path).toBe('/');
  const rows = await rig.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', 'like', 'reseller.%')
    .execute();
  expect(JSON.stringify(rows)).not.toContain(link.pathname.split('/').at(-1));
  await visitor.open('/');
  expect((await visitor.send('/resellers/acme/password-link')).status).toBe(404);
});

it('a reseller that is kept after a hand-over is named on the page of the change, with the reason', async () => {
  const stays = await addReseller('stays1');
  await admin.open(`/packages/${rig.packages.small}`);
  await admin.send(`/packages/${rig.packages.small}/assign`, { reseller: 'stays1' });
  const ids = [await made(stays, 'staysone'), await made(stays, 'staystwo')];
  await addReseller('takes1');
  await admin.open('/resellers/stays1/hand-over');
  const asked = { to: 'takes1', then_delete: '1', unused_packages: 'keep' };
  await admin.send('/resellers/stays1/hand-over', asked);
  const begun = await admin.send('/resellers/stays1/hand-over', { ...asked, confirmed: '1' });
  await waitUntil('the end of the change', async () =>
    (await admin.open(begun.path)).text.includes('Finished'),
  );
  expect(await Promise.all(ids.map(managerOf))).toEqual(['takes1', 'takes1']);
  expect(admin.page.text).toContain('The reseller stays1 was deleted.');
  const id = Number(begun.path.split('/').at(-1));
  const left_out = 'stays1 has 1 account. Hand it over to another reseller or to yourself, or terminate it.';
  await rig.db.updateTable('bulk_changes').set({ left_out }).where('id', '=', id).execute();
  expect((await admin.open(begun.path)).text).toContain(`The reseller stays1 was not deleted. ${left_out}`);
  expect(admin.page.html).toContain('href="/resellers/stays1/hand-over"');
  const german = new PageVisitor(rig.origin, { 'Accept-Language': 'de' });
  await german.signIn('root-admin', password);
  expect((await german.open(begun.path)).text).toContain(
    'Der Reseller stays1 wurde nicht gelöscht. stays1 hat',
  );
});

it('only an admin hands over and deletes', async () => {
  const acme = await signedIn(rig, 'acme');
  const id = await made(acme, 'staying1');
  await acme.open('/accounts');
  for (const path of ['/resellers/acme/hand-over', '/resellers/acme/delete', `/accounts/${id}/hand-over`])
    expect([403, 404], path).toContain((await acme.send(path, { to: '', confirmed: '1' })).status);
  expect(await managerOf(id)).toBe('acme');
  expect((await acme.open(`/accounts/${id}`)).text).not.toContain('Change the manager');
});

it('the pages of resellers and packages are German for a German browser', async () => {
  const visitor = new PageVisitor(rig.origin, { 'Accept-Language': 'de' });
  await visitor.signIn('root-admin', password);
  expect((await visitor.open('/resellers')).text).toContain('Reseller hinzufügen');
  expect((await visitor.open('/resellers/acme')).text).toContain('Kontingent ändern');
  expect((await visitor.open('/packages')).text).toContain('Paket anlegen');
  expect((await visitor.open('/nodes')).text).toContain('Server hinzufügen');
});
