import { waitUntil } from '@innkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { followLink, newCustomer } from './customer.ts';
import type { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();

/** A node tries again with its next poll, 10 s later at most. */
async function untilShown(visitor: PageVisitor, path: string, text: string): Promise<void> {
  const isShown = async () => (await visitor.open(path)).text.includes(text);
  await waitUntil(text, isShown, { timeoutMs: 25_000 });
}

describe('the account', () => {
  it('the page shows the account and its server', async () => {
    const { visitor, username } = await newCustomer(rig);
    const { text, html } = await visitor.open('/');
    for (const said of [
      'Status active',
      'Package Large',
      'Primary domain none yet: create a site',
      `Home folder /home/${username}`,
      'PHP version 8.2',
      'Server address 192.0.2.10',
      'Database host localhost',
      `ssh ${username}@192.0.2.10`,
    ])
      expect(text).toContain(said);
    expect(html).not.toContain('web1');
  });

  it('the page says what is unknown or not allowed', async () => {
    const { visitor, accountId } = await newCustomer(rig, { package_id: rig.packages.small });
    const nodes = (php_version: string | null) => rig.db.updateTable('nodes').set({ php_version }).execute();
    await nodes(null);
    const { text } = await visitor.open('/');
    expect(text).toContain('PHP version not reported yet');
    expect(text).toContain('Terminal access Not available for this account.');
    await nodes('8.2');
    await rig.ask('createDomain', {
      body: { hosting_account_id: accountId, domain_name: 'first.dashboard.example.com' },
    });
    expect((await visitor.open('/')).html).toMatch(
      /<a href="\/sites\/\d+">first\.dashboard\.example\.com<\/a>/,
    );
  });
});

describe('usage', () => {
  it('the page shows usage and limit as numbers', async () => {
    rig.node.behaviour.measure = () => ({
      disk_used_mb: 1_250,
      bandwidth_used_mb: 9_000,
      cpu_used_percent: 12,
      ram_used_mb: 512,
    });
    const { visitor, accountId } = await newCustomer(rig);
    await rig.ask('createDatabase', { body: { hosting_account_id: accountId } });
    await untilShown(visitor, '/', 'Measured at ');
    const { text, html } = visitor.page;
    for (const said of [
      'Disk space 1.2 of 4.9 GB',
      'Traffic this month 8.8 of 9.8 GB',
      '12 of 100%',
      'Memory 512 of 512 MB',
      'Domains 0 of 5',
      'Databases 1 of 1',
      'Apps 0 of 1',
      'Scheduled tasks 0 of 1',
      'Measured at ',
    ])
      expect(text).toContain(said);
    expect(html).toMatch(
      /<svg class="meter meter-good" role="img" aria-label="Disk space[^>]*>.*?width="25%"/,
    );
    expect(html).toMatch(/<svg class="meter meter-warn" role="img" aria-label="Traffic[^>]*>.*?width="90%"/);
    expect(html).toMatch(/<svg class="meter meter-warn" role="img" aria-label="Memory[^>]*>.*?width="100%"/);
  });

  it('the page says that usage was never measured, and shows no zero', async () => {
    rig.node.behaviour.answer = () => undefined;
    const { visitor } = await newCustomer(rig);
    const { text } = await visitor.open('/');
    expect(text).toContain('There are no measurements of');
    expect(text).not.toContain('Disk space 0');
    expect(text).toContain('Domains 0 of 5');
  });

  it('the page says how old the usage is', async () => {
    const { visitor, accountId } = await newCustomer(rig);
    await untilShown(visitor, '/', 'Traffic counts per calendar month');
    rig.node.behaviour.answer = () => undefined;
    await rig.db
      .updateTable('usage_snapshots')
      .set({ taken_at: new Date('2026-01-02T03:04:00Z'), disk_used_mb: 77 })
      .where('account_id', '=', accountId)
      .execute();
    const { text } = await visitor.open('/');
    expect(text).toContain('Disk space 77 MB of 4.9 GB');
    expect(text).toContain('Measured at 2 Jan 2026, 03:04 UTC . The server has not answered since');
  });
});

describe('pending changes', () => {
  it('the page says that a change is being applied, and refreshes itself', async () => {
    const { visitor } = await newCustomer(rig);
    await untilShown(visitor, '/', 'Everything works.');
    expect(visitor.page.html).not.toContain('data-live');
    rig.node.behaviour.fail = () => 'retryably';
    await visitor.send('/sites', { domain_name: 'slow.dashboard.example.com' });
    const { text, html } = await visitor.open('/');
    expect(text).toContain('The server is applying the newest changes.');
    expect(html).toMatch(/id="health" data-live="\/"/);
    rig.node.behaviour.fail = () => undefined;
    await untilShown(visitor, '/', 'Everything works.');
  });

  it('the page says that a change failed, and where to look', async () => {
    const { visitor, accountId } = await newCustomer(rig);
    rig.node.behaviour.fail = ({ account_id }) => (account_id === accountId ? 'permanently' : undefined);
    await visitor.open('/sites');
    await visitor.send('/sites', { domain_name: 'failing.dashboard.example.com' });
    await untilShown(visitor, '/', '1 thing needs attention');
    expect(visitor.page.text).not.toContain('Everything works');
    rig.node.behaviour.fail = () => undefined;
    await visitor.send('/retry');
    await untilShown(visitor, '/', 'Everything works');
  });
});

describe('recent activity', () => {
  it('the page lists the account’s own events as sentences, with who did them', async () => {
    const { visitor, accountId } = await newCustomer(rig);
    const other = await newCustomer(rig);
    await other.visitor.open('/databases');
    await other.visitor.send('/databases', { name: 'secretplans' });
    await visitor.open('/sites');
    await visitor.send('/sites', { domain_name: 'told.dashboard.example.com' });
    const body = { package_id: rig.packages.small };
    expect((await rig.ask('changeAccountPackage', { id: accountId, body })).status).toBe(200);
    const { text, html } = await visitor.open('/');
    expect(text).toContain('The package of the account was changed. your provider');
    expect(text).toContain('Domain told.dashboard.example.com was added. you');
    expect(text).toContain('New sign-in to this panel. you');
    expect(text).toContain('The account was created. your provider');
    for (const hidden of ['domain.create', 'session.create', 'root-admin', 'secretplans'])
      expect(html).not.toContain(hidden);
  });
});

describe('login links', () => {
  it.each([
    ['dashboard', '/', 'Dashboard'],
    ['backups', '/backups', 'This panel has no backups yet.'],
  ])('a login link to %s opens %s', async (target, path, sentence) => {
    const { accountId } = await newCustomer(rig);
    const { page } = await followLink(rig, accountId, { target });
    expect(page).toMatchObject({ status: 200, path });
    expect(page.text).toContain(sentence);
    expect(page.text).toContain('Package Large');
  });

  it('a login link to terminal opens the terminal', async () => {
    const { accountId } = await newCustomer(rig);
    const { page } = await followLink(rig, accountId, { target: 'terminal' });
    expect(page).toMatchObject({ status: 200, path: '/terminal' });
    expect(page.html).toContain('data-socket="/terminal/socket"');
  });
});

it('only customers have this page: operators have their own first page, visitors the sign-in', async () => {
  const { visitor } = await newCustomer(rig);
  await visitor.send('/logout');
  expect((await visitor.open('/files')).path).toBe('/login?next=%2Ffiles');
  await visitor.signIn('root-admin', 'correct horse battery');
  expect((await visitor.open('/files')).status).toBe(404);
  expect((await visitor.open('/')).text).toContain('Load of the servers');
});
