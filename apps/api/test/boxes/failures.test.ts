import { type HostingServer, type Installation, requireInnctl, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BrowserVisitor, type PanelBrowser, startBrowser } from './browser.ts';
import { expireUsage } from './fresh-usage.ts';
import { useInstallation } from './installation.ts';
import { createRestClient, type RestClient } from './rest-client.ts';
import { visit } from './site.ts';

/**
 * What the panel says while something of an account has failed on a real server: each cause, since when, and whether the
 * server tries again; and that "Try again" is another try. With `--all` the last case waits for the first interval that the
 * server measures. The cases depend on each other.
 */
const ACCOUNT = 'failshop';
const PASSWORD = 'correct horse battery';
const INSECURE = 'insecure.failshop.example.com';
const TAKEN = 'taken.failshop.example.com';
const FOREIGN_BLOCK = '/etc/nginx/conf.d/foreign-site.conf';
const FOREIGN_DATABASE = `${ACCOUNT}_stock`;

/** An agent reports its first whole interval of 5 minutes after up to 11 minutes. */
const INTERVAL_MS = 780_000;

vi.setConfig({ testTimeout: 420_000 });

let installation: Installation;
let server: HostingServer;
let browser: PanelBrowser;
let customer: BrowserVisitor;
let operator: BrowserVisitor;
let api: RestClient;
let accountId = 0;
let insecureId = 0;

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  const origin = `http://127.0.0.1:${installation.ports.http}`;
  browser = await startBrowser([origin]);
  api = createRestClient(installation.baseUrl, installation.token);
  const packages = await api.get<{ data: { id: number; name: string }[] }>('/packages');
  const made = await api.post<{ data: { id: number } }>('/accounts', {
    username: ACCOUNT,
    name: 'A shop',
    email: `${ACCOUNT}@example.com`,
    password: PASSWORD,
    package_id: packages.body.data.find(({ name }) => name === 'Professional')?.id,
    disk_limit_mb: 100,
  });
  expect(made.status).toBe(201);
  accountId = made.body.data.id;
  const argv = ['admin', 'create', '--username', 'fail-operator', '--email', 'failures@example.com'];
  await requireInnctl(installation.innctl, [...argv, '--password-file', '-'], PASSWORD);
  const signedIn = async (username: string) => {
    const visitor = await browser.visitor();
    await visitor.open('/login');
    await visitor.page.locator('[name=username]').fill(username);
    await visitor.page.locator('[name=password]').fill(PASSWORD);
    await visitor.page.keyboard.press('Enter');
    await visitor.page.waitForURL(`${origin}/`);
    return visitor;
  };
  customer = await signedIn(ACCOUNT);
  operator = await signedIn('fail-operator');
}, 300_000);

afterAll(async () => {
  await browser?.stop();
  if (accountId === 0) return;
  await server.box.exec(['rm', '-f', FOREIGN_BLOCK]);
  await server.box.exec(['mariadb', '-e', `drop database if exists ${FOREIGN_DATABASE}`]);
  await api.delete(`/accounts/${accountId}`);
  await waitUntil(
    'the account to be gone',
    async () => (await api.get(`/accounts/${accountId}`)).status === 404,
    { timeoutMs: 90_000, everyMs: 500 },
  );
});

/** The rows of the attention card of the current page, as text. */
async function rowsOf(visitor: BrowserVisitor, path: string): Promise<string[]> {
  await visitor.open(path);
  return await visitor.page.locator('.attention .rows > li').allInnerTexts();
}

/** The beginnings of the rows. */
const causes = {
  certificate: `${INSECURE} has no valid certificate`,
  domain: `${TAKEN} is not set up`,
  database: 'The database stock',
  app: 'The app Blog has failed',
  disk: 'The disk space',
};

const row = (rows: readonly string[], name: string) =>
  rows.find((text) => text.includes(name))?.replaceAll(/\s+/g, ' ') ?? '';

it('the account and its sites name every cause, since when, and whether the server tries again', async () => {
  const domain = async (domain_name: string) =>
    (await api.post<{ data: { id: number } }>('/domains', { hosting_account_id: accountId, domain_name }))
      .body.data.id;
  insecureId = await domain(INSECURE);
  await api.post(`/domains/${insecureId}/ssl`);
  const app = { template_key: 'wordpress', name: 'Blog', domain_id: insecureId };
  expect((await api.post('/apps', { hosting_account_id: accountId, ...app })).status).toBe(201);
  // Certificates are ordered after the sites of the account are right.
  await waitUntil(
    'the failed certificate',
    async () => row(await rowsOf(customer, '/'), causes.certificate) !== '',
    { timeoutMs: 60_000, everyMs: 1_000 },
  );
  await server.box.writeFile(
    FOREIGN_BLOCK,
    `server { listen 80; server_name ${TAKEN}; return 200 foreign; }\n`,
  );
  await server.box.require(['systemctl', 'reload', 'nginx']);
  // The reload ends before the new workers answer. A name is probed before its site goes live, and not afterwards.
  await waitUntil(
    'the foreign server block',
    async () => (await visit(server.address, TAKEN)).body === 'foreign',
    { timeoutMs: 30_000 },
  );
  await server.box.require(['mariadb', '-e', `create database ${FOREIGN_DATABASE}`]);
  await domain(TAKEN);
  await api.post('/databases', { hosting_account_id: accountId, name: 'stock' });
  const fill = `head -c 120M /dev/zero > ~/big`;
  await server.box.require(['su', '-s', '/bin/sh', '-c', fill, ACCOUNT]);
  const rows = await waitUntil(
    'all five failures',
    async () => {
      await expireUsage(installation);
      const seen = await rowsOf(customer, '/');
      const missing = Object.values(causes).filter((name) => row(seen, name) === '');
      if (missing.length > 0) throw new Error(`no row for "${missing.join('", "')}" in: ${seen.join(' | ')}`);
      return seen;
    },
    { timeoutMs: 360_000, everyMs: 2_000 },
  );
  expect(row(rows, causes.certificate)).toMatch(
    /has no valid certificate .+ Since \d+ \w+ 2\d{3}.+ The server tries again (?:on its own|at \d+ .+)\./,
  );
  expect(row(rows, causes.domain)).toMatch(
    /is not set up .+ Since \d+ .+ The server tries again at \d+ \w+ 2\d{3}.+\./,
  );
  expect(row(rows, causes.database)).toContain(`Innkeeper did not create them: ${FOREIGN_DATABASE}`);
  expect(row(rows, causes.app)).toMatch(
    /has failed WordPress could not .+ Since \d+ .+ does not try again on its own\./,
  );
  expect(row(rows, causes.disk)).toMatch(/of 100 MB used\. Since \d+/);
  await customer.inspect('customer-failures');
  const ofOperator = await rowsOf(operator, `/accounts/${accountId}`);
  for (const name of Object.values(causes)) expect(row(ofOperator, name), name).toMatch(/ Since \d/);
  await operator.inspect('operator-failures');
  const own = await rowsOf(customer, `/sites/${insecureId}`);
  expect([row(own, causes.certificate), row(own, causes.app)]).not.toContain('');
  expect(row(own, causes.database)).toBe('');
  expect(await customer.page.getByText('Elsewhere in the account').textContent()).toContain('need attention');
  await customer.inspect('customer-site-failures');
});

it('the failed app has one more try with "Try again"', async () => {
  await customer.open('/apps');
  await customer.page.locator('main a[href^="/apps/"]').filter({ hasText: 'Blog' }).click();
  const before = await triesOfApps();
  await customer.page.locator('form[action$="/retry"] button').click();
  // The page follows the new try, although the account's other failures end the wait of the form at once.
  await customer.page.locator('#now[data-live]').waitFor();
  await waitUntil('one more try', async () => (await triesOfApps()) > before, { timeoutMs: 30_000 });
  // The server tries for some minutes before it gives up again.
  await waitUntil('its state', async () => row(await rowsOf(customer, '/'), causes.app) === '', {
    timeoutMs: 30_000,
  });
});

async function triesOfApps(): Promise<number> {
  const journal = ['journalctl', '--no-pager', '-o', 'cat', '-u', 'innkeeper-task-*'];
  return (await server.box.require(journal)).split('\n').filter((line) => line.startsWith('Started ')).length;
}

it('what was repaired is good after "Try again", and the rest still needs attention', async () => {
  await server.box.require(['rm', FOREIGN_BLOCK]);
  await server.box.require(['systemctl', 'reload', 'nginx']);
  await server.box.require(['mariadb', '-e', `drop database ${FOREIGN_DATABASE}`]);
  await customer.open('/');
  await customer.page.locator('form[action="/retry"] button').click();
  const rows = await waitUntil(
    'the repaired records',
    async () => {
      const seen = await rowsOf(customer, '/');
      return row(seen, causes.domain) === '' && row(seen, causes.database) === '' && seen;
    },
    { timeoutMs: 90_000, everyMs: 1_000 },
  );
  expect(row(rows, causes.certificate)).not.toBe('');
  expect(row(rows, causes.disk)).not.toBe('');
  expect(await customer.page.getByText('Everything works.').count()).toBe(0);
  customer.requireNoFault();
});

const isAll = process.env.INNKEEPER_TEST_ALL === 'true';

it.runIf(isAll)(
  'an interval that the server measured is a point in the charts of the account',
  async () => {
    const point = await waitUntil(
      'a measured interval with visits',
      async () => {
        await visit(server.address, INSECURE);
        await customer.open('/usage');
        const rows = await customer.page.locator('main details table tbody tr').all();
        for (const one of rows) {
          const [, cpu, memory, disk, traffic, requests] = await one.locator('th, td').allTextContents();
          if (Number(requests) > 0) return { cpu, memory, disk, traffic };
        }
        return false;
      },
      { timeoutMs: INTERVAL_MS, everyMs: 5_000 },
    );
    expect(point).toMatchObject({
      cpu: expect.stringMatching(/^[\d.]+ %$/),
      memory: expect.stringMatching(/^[\d.]+ MB$/),
      disk: expect.stringMatching(/^1\d\d MB$/),
    });
    expect(await customer.page.locator('main svg path').count()).toBeGreaterThan(0);
    customer.requireNoFault();
  },
  900_000,
);
