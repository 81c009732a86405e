import { storeUsage } from '@innkeeper/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';
import { newCustomer, signedIn } from './customer.ts';
import type { PageVisitor } from './page-visitor.ts';

const rig = useControlPlaneRig();
let admin: PageVisitor;
let reseller: PageVisitor;
beforeAll(async () => {
  admin = await signedIn(rig, 'root-admin');
  reseller = await signedIn(rig, 'acme');
});

const traffic = { sent_bytes: 5 * 2 ** 20, requests: 600, errors: 3 };
const server = {
  cpu_busy_ms: 150_000,
  cpu_total_ms: 600_000,
  memory_mb: 700,
  memory_total_mb: 2_048,
  disk_mb: 5_000,
  disk_total_mb: 100_000,
  load_percent: 150,
  accounts: 3,
  running_accounts: 2,
  ...traffic,
};

async function web1() {
  const nodes = rig.db.selectFrom('nodes').select(['id', 'session_id']).where('name', '=', 'web1');
  const { id, session_id } = await nodes.executeTakeFirstOrThrow();
  return { node_id: id, session_id: session_id ?? '' };
}

let part = 0;
/** Stores usage of the newest completed interval, as web1 reports it. */
async function measure(account_id: number, domain_id?: number): Promise<void> {
  part += 1;
  await storeUsage(rig.db, {
    ...(await web1()),
    now: new Date(),
    report: {
      interval_start: Math.floor(Date.now() / 300_000) * 300 - 300,
      part,
      server: part === 1 ? server : null,
      accounts: [{ account_id, cpu_ms: 30_000, memory_mb: 200, disk_mb: 50, ...traffic }],
      sites: domain_id === undefined ? [] : [{ domain_id, ...traffic }],
      mail: [],
    },
  });
}

const chartsOf = (html: string) => html.match(/class="chart-plot"/g)?.length ?? 0;

describe('usage over time', () => {
  it('a customer sees charts of its own account for each range, and a table of the values', async () => {
    const { visitor, accountId } = await newCustomer(rig);
    expect((await visitor.open('/')).html).toContain('href="/usage"');
    const before = await visitor.open('/usage');
    expect(chartsOf(before.html)).toBe(0);
    expect(before.text).toContain('Nothing was measured in this time.');
    await measure(accountId);
    for (const range of ['', '?range=7d', '?range=30d', '?range=2y', '?range=../x']) {
      const { status, html, text } = await visitor.open(`/usage${range}`);
      expect(status).toBe(200);
      expect(chartsOf(html), range).toBe(5);
      expect(text).toContain('Show as table');
      expect(text).toContain('not measured');
      expect(html).not.toContain('style=');
    }
    const { html, text } = await visitor.open('/usage');
    expect(text).toContain('10 %');
    expect(text).toContain('200 MB');
    expect(html).toMatch(/aria-label="CPU from .+ at most 10 %"/);
    expect(html).toContain('<a class="btn btn-small" href="/usage?range=24h" aria-current="true">24 h</a>');
  });

  it('an operator sees those of its accounts, and of no others', async () => {
    const theirs = await rig.createAccount({ package_id: rig.packages.small }, rig.resellerToken);
    const { accountId } = await newCustomer(rig);
    expect((await reseller.open(`/accounts/${theirs.id}`)).html).toContain(`/accounts/${theirs.id}/usage`);
    expect((await reseller.open(`/accounts/${theirs.id}/usage`)).status).toBe(200);
    expect((await reseller.open(`/accounts/${accountId}/usage`)).status).toBe(404);
    expect((await admin.open(`/accounts/${accountId}/usage`)).status).toBe(200);
    expect((await admin.open('/usage')).status).toBe(404);
  });

  it('a site shows its traffic of 30 days', async () => {
    const { visitor, accountId } = await newCustomer(rig);
    const body = { hosting_account_id: accountId, domain_name: 'busy.example' };
    const { id } = (await rig.ask('createDomain', { body })).body.data;
    expect((await visitor.open(`/sites/${id}`)).text).toContain('Nobody has visited this site');
    await measure(accountId, id);
    const { text, html } = await visitor.open(`/sites/${id}`);
    expect(text).toContain('5 MB sent, 600 requests, 3 of them with an error');
    expect(html.match(/class="bar"/g)).toHaveLength(1);
  });
});

describe('the page of a server', () => {
  it('has charts for each range, its services and its failing accounts', async () => {
    const { accountId, username } = await newCustomer(rig);
    await measure(accountId);
    const { node_id } = await web1();
    await rig.db.updateTable('accounts').set({ outcome: 'failed' }).where('id', '=', accountId).execute();
    for (const range of ['24h', '7d', '30d']) {
      const { html } = await admin.open(`/nodes/${node_id}?range=${range}`);
      expect(chartsOf(html), range).toBe(6);
    }
    const { text, html } = await admin.open(`/nodes/${node_id}`);
    expect(text).toContain('25 %');
    expect(text).toContain('nginx Running MariaDB Running cron Running sshd Running');
    expect(html).toContain(`/accounts/${accountId}/retry`);
    expect(text).toContain(username);
    const tried = await admin.send(`/accounts/${accountId}/retry`);
    expect(tried.path).toBe(`/accounts/${accountId}`);
    expect((await admin.open(`/nodes/${node_id}`)).text).not.toContain(username);
  });

  it('says which service does not run, and nothing about services while the server is offline', async () => {
    const { node_id } = await web1();
    const set = (columns: { warnings?: string; last_seen_at?: Date }) =>
      rig.db.updateTable('nodes').set(columns).where('id', '=', node_id).execute();
    await expect
      .poll(async () => {
        await set({ warnings: '["NGINX_DOWN"]' });
        return (await admin.open(`/nodes/${node_id}`)).text;
      })
      .toMatch(/nginx does not run: the sites .* nginx Not running MariaDB Running/);
    await expect
      .poll(async () => {
        await set({ warnings: '[]', last_seen_at: new Date(0) });
        return (await admin.open(`/nodes/${node_id}`)).text;
      })
      .toContain('The server is not online');
    await set({ last_seen_at: new Date() });
  });
});

describe('the overview', () => {
  it('begins with the first steps of an installation, for an admin alone, until they are done', async () => {
    const { text, html } = await admin.open('/');
    expect(text).toContain('First steps');
    expect(html).toMatch(/class="is-good">.*?Add a hosting server/s);
    expect(html).toContain('href="/security/two-factor"');
    expect((await reseller.open('/')).text).not.toContain('First steps');
    await newCustomer(rig);
    const users = rig.db.updateTable('users').where('username', '=', 'root-admin');
    await users.set({ totp_confirmed_at: new Date() }).execute();
    expect((await admin.open('/')).text).not.toContain('First steps');
    await users.set({ totp_confirmed_at: null }).execute();
  });

  it('staff sees servers, failing accounts, growth and activity', async () => {
    const { accountId, username } = await newCustomer(rig);
    await measure(accountId);
    await rig.db.updateTable('accounts').set({ outcome: 'failed' }).where('id', '=', accountId).execute();
    const { text, html, path } = await admin.open('/');
    expect(path).toBe('/');
    expect(text).toMatch(/Online 1 of 1/);
    expect(text).toContain('web1 active');
    expect(html).toContain('CPU of web1 over 24 hours');
    expect(text).toMatch(/In the last 30 days: [1-9]\d* created, \d+ removed\./);
    expect(text).toContain(`${username} on web1`);
    expect(text).toContain('Recent activity');
    expect(html).toContain(`/accounts/${accountId}/retry`);
  });

  it('a reseller sees its own accounts and nothing of servers or of others', async () => {
    const { id, username } = await rig.createAccount({ package_id: rig.packages.small }, rig.resellerToken);
    const other = await newCustomer(rig);
    await rig.db
      .updateTable('accounts')
      .set({ outcome: 'failed' })
      .where('id', 'in', [id, other.accountId])
      .execute();
    const { text, html } = await reseller.open('/');
    const total = await rig.db
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.reseller_user_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('users.username', '=', 'acme')
      .executeTakeFirstOrThrow();
    expect(text).toContain(`${total.count} accounts. In the last 30 days: ${total.count} created`);
    expect(text).toContain(username);
    expect(text).not.toContain(other.username);
    expect(html).not.toContain('web1');
    expect(html).not.toContain('/nodes');
  });

  it('a reader of German gets it in German', async () => {
    const html = await fetch(`${rig.origin}/`, {
      headers: {
        Cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'Accept-Language': 'de',
      },
    }).then((answer) => answer.text());
    expect(html).toContain('Last der Server');
    expect(html).toContain('Konten mit Fehlern');
  });
});
