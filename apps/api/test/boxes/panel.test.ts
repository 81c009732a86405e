import { createHmac } from 'node:crypto';
import { get } from 'node:http';
import {
  type HostingServer,
  type Installation,
  makeZip,
  requireInnctl,
  runProgram,
  startCronClock,
  waitUntil,
} from '@innkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BrowserVisitor, type PanelBrowser, startBrowser } from './browser.ts';
import { findTraces } from './find-traces.ts';
import { addHistory } from './fresh-usage.ts';
import { useInstallation } from './installation.ts';
import { createRestClient } from './rest-client.ts';
import { visit } from './site.ts';

/**
 * The panel as users see it: in a browser, with a hosting server that applies everything they do. The cases depend on
 * each other. Every wait for the browser or the server has its own timeout, much shorter than the timeout of a case: a
 * case that times out would continue in its browser and disturb the next one.
 */
const OPERATOR = 'panel-operator';
const PASSWORD = 'correct horse battery';
const FIRST_PAGE_BYTES = 25_000;
const ACCOUNT = 'panelshop';
const DOMAIN = 'panelshop.example.com';
const CASE_MS = 900_000;

vi.setConfig({ testTimeout: CASE_MS });

let installation: Installation;
let server: HostingServer;
let origin = '';
let browser: PanelBrowser;
let operator: BrowserVisitor;
let customer: BrowserVisitor;
let accountId = 0;
let uid = 0;

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  origin = `http://127.0.0.1:${installation.ports.http}`;
  browser = await startBrowser([origin]);
  operator = await browser.visitor();
  customer = await browser.visitor();
  const argv = ['admin', 'create', '--username', OPERATOR, '--email', `${OPERATOR}@example.com`];
  await requireInnctl(installation.innctl, [...argv, '--password-file', '-'], PASSWORD);
}, 300_000);

afterAll(async () => {
  await browser?.stop();
});

/** Returns the size of an answer's body on the wire, in bytes. */
async function bytesOf(path: string, cookie: string): Promise<{ bytes: number; text: string }> {
  return await new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip', cookie };
    get(new URL(path, origin), { headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        resolve({ bytes: body.length, text: body.toString('utf8') });
      });
    }).on('error', reject);
  });
}

/**
 * Returns the bytes on the wire of a page and its assets. The page itself names everything that a browser needs for it.
 */
async function weigh(visitor: BrowserVisitor, path: string): Promise<number> {
  const asked: string[] = [];
  const note = (request: { url(): string }) => asked.push(new URL(request.url()).pathname);
  visitor.page.on('request', note);
  await visitor.open(path);
  visitor.page.off('request', note);
  const cookies = await visitor.page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const { bytes, text } = await bytesOf(path, cookie);
  const matches = text.matchAll(/ (?:src|href)="(\/assets\/[^"#]+)(?:#[\w-]+)?"/g);
  const named = [...new Set([...matches].map((match) => match[1] ?? ''))];
  expect([path, ...named]).toEqual(expect.arrayContaining(asked));
  const weights = await Promise.all(named.map(async (asset) => (await bytesOf(asset, '')).bytes));
  return weights.reduce((sum, weight) => sum + weight, bytes);
}

/** Returns the six digits that an authenticator shows, `later` steps of 30 s from now. */
function codeOf(key: string, later = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key.replaceAll(/[^A-Z2-7]/g, '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

/** Signs in with the keyboard only: after the page is drawn, its first field has the focus. */
async function signInByKeys(): Promise<void> {
  const { keyboard } = operator.page;
  await operator.open('/');
  await operator.page.locator('[name=username]:focus').waitFor();
  await keyboard.type(OPERATOR);
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
}

async function press(visitor: BrowserVisitor, name: string): Promise<void> {
  await visitor.page.getByRole('button', { name, exact: true }).click();
}

async function inspectAll(visitor: BrowserVisitor, who: string, paths: readonly string[]): Promise<void> {
  const faults: string[] = [];
  for (const path of paths) {
    const status = await visitor.open(path);
    if (status !== 200) faults.push(`${path} answered ${status}`);
    const name = `${who}${path.replaceAll(/[^a-z0-9]+/g, '-')}`;
    await visitor.inspect(name).catch((error: Error) => faults.push(error.message));
  }
  expect(faults).toEqual([]);
}

describe('the sign-in page', () => {
  it('has no console error, accessibility finding or overflow, and weighs less than 25 kB', async () => {
    expect(await weigh(operator, '/login')).toBeLessThan(FIRST_PAGE_BYTES);
    await operator.inspect('login');
  });

  it('explains a refused password, and signs an operator in by keyboard', async () => {
    const { page } = operator;
    await operator.open('/');
    await page.getByLabel('Username').fill(OPERATOR);
    await page.getByLabel('Password').fill('wrong');
    await press(operator, 'Sign in');
    await page.getByRole('alert').first().waitFor();
    await operator.inspect('login-refused');
    await signInByKeys();
    await page.waitForURL(`${origin}/`);
    operator.requireNoFault();
  });
});

describe('an operator', () => {
  let key = '';
  let token = '';

  it('searches with the keyboard: Ctrl-K or a slash, arrows and Enter', async () => {
    const { page } = operator;
    await operator.open('/accounts');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('pack');
    await page.locator('#search-results a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/packages`);
    await page.keyboard.press('/');
    const search = page.locator('#search input');
    expect(await search.evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.keyboard.type('a/b');
    expect(await search.inputValue()).toBe('a/b');
    // The first one empties the field.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'hidden' });
  });

  it('uses the keyboard: the skip link, and the menu on a phone', async () => {
    const { page } = operator;
    await operator.open('/accounts');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('main').evaluate((main) => main.matches(':focus'))).toBe(true);
    await page.setViewportSize({ width: 360, height: 740 });
    await operator.open('/accounts');
    await page.getByRole('button', { name: 'More' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'API tokens' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/security/tokens`);
    await page.setViewportSize({ width: 1_920, height: 1_080 });
    operator.requireNoFault();
  });

  it('sets up a second factor, and signs in with a code', async () => {
    const { page } = operator;
    await operator.open('/security/two-factor');
    await operator.inspect('operator-two-factor');
    key = await page.getByLabel('Key', { exact: true }).inputValue();
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(key));
    await press(operator, 'Turn on');
    await page.getByText('Store these codes now').waitFor();
    await operator.inspect('operator-recovery-codes');
    await page.locator('.user > summary').click();
    await press(operator, 'Sign out');
    await page.waitForURL(`${origin}/login`);
    await signInByKeys();
    await page.waitForURL(`${origin}/login/code`);
    await operator.inspect('login-code');
    await page.getByLabel('Code').fill(codeOf(key, 1));
    await press(operator, 'Continue');
    await page.waitForURL(`${origin}/`);
    operator.requireNoFault();
  });

  it('creates an API token', async () => {
    const { page } = operator;
    await operator.open('/security/tokens');
    await page.getByLabel('Name').fill('Billing');
    await page.getByLabel('Permissions').selectOption({ label: 'Provisioning' });
    await press(operator, 'Create token');
    token = await page.getByLabel('Token', { exact: true }).inputValue();
    await operator.inspect('operator-token-created');
    const { status, body } = await createRestClient(installation.baseUrl, token).get('/auth/me');
    expect([status, body]).toMatchObject([200, { user: { username: OPERATOR } }]);
  });

  it('creates an account, and the server has it', async () => {
    const { page } = operator;
    await operator.open('/accounts/new');
    await page.getByLabel('Username').fill(ACCOUNT);
    await page.getByLabel('Customer name').fill('A shop');
    await page.getByLabel('Email address').fill('shop@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Package').selectOption({ label: 'Professional' });
    await press(operator, 'Create the account');
    const details = page.getByLabel('All access details');
    await details.waitFor({ timeout: 60_000 });
    expect(await details.inputValue()).toContain(`Password: ${PASSWORD}`);
    await operator.inspect('operator-account-created');
    await page.getByRole('link', { name: 'Go to the account' }).click();
    await page.waitForURL(/\/accounts\/\d+$/, { timeout: 60_000 });
    accountId = Number(page.url().split('/').at(-1));
    const passwd = await waitUntil(
      'the account on its server',
      async () => {
        const { exitCode, stdout } = await server.box.exec(['getent', 'passwd', ACCOUNT]);
        return exitCode === 0 && stdout;
      },
      { timeoutMs: 60_000, everyMs: 500 },
    );
    uid = Number(passwd.split(':')[2]);
    operator.requireNoFault();
  });

  it('follows a login link of the billing system into the customer’s panel', async () => {
    const billing = createRestClient(installation.baseUrl, token);
    const link = await waitUntil(
      'a login link',
      async () => {
        const made = await billing.post<{ data: { login_url: string } }>(
          `/accounts/${accountId}/login-link`,
          {},
        );
        return made.status < 300 && made.body.data.login_url;
      },
      { timeoutMs: 60_000, everyMs: 1_000 },
    );
    await customer.page.goto(link);
    await customer.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(new URL(customer.page.url()).pathname).toBe('/');
    customer.requireNoFault();
  });
});

describe('a customer', () => {
  it('has a dashboard that weighs less than 25 kB', async () => {
    expect(await weigh(customer, '/')).toBeLessThan(FIRST_PAGE_BYTES);
    customer.requireNoFault();
  });

  it('creates a site, and it answers 200', async () => {
    const { page } = customer;
    await customer.open('/sites/new');
    await page.getByLabel('Domain name').fill(`https://www.${DOMAIN}/welcome`);
    await page.getByRole('radio', { name: 'WordPress' }).check();
    await page.getByLabel('Site title').waitFor();
    await customer.inspect('customer-new-site-wordpress');
    await page.getByRole('radio', { name: 'Empty PHP site' }).check();
    await page.getByLabel('Site title').waitFor({ state: 'hidden' });
    await press(customer, 'Create site');
    await page.waitForURL(/\/sites\/\d+$/);
    await page.getByRole('heading', { name: DOMAIN, level: 1 }).waitFor();
    await waitUntil('the site', async () => (await visit(server.address, DOMAIN)).status === 200, {
      timeoutMs: 60_000,
      everyMs: 500,
    });
    customer.requireNoFault();
  });

  it('installs an app, deploys an archive, and its page is served', async () => {
    const { page } = customer;
    await customer.open('/apps/new?template=static');
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Domain').selectOption({ label: DOMAIN });
    await page.locator('form.stack button.btn-primary').click();
    await page.waitForURL(/\/apps\/\d+$/);
    await page.locator('#now:not([data-live])').waitFor({ timeout: 90_000 });
    // The message of the form is gone with what it spoke of.
    expect([await page.locator('#notice').count(), await page.locator('#now').textContent()]).toEqual([
      0,
      expect.stringContaining('running'),
    ]);
    const buffer = makeZip([{ name: 'index.html', data: 'The shop is open.' }]);
    await page
      .getByLabel('ZIP archive')
      .setInputFiles({ name: 'shop.zip', mimeType: 'application/zip', buffer });
    await press(customer, 'Upload and deploy');
    await waitUntil(
      'the page of the archive',
      async () => (await visit(server.address, DOMAIN)).body === 'The shop is open.',
      { timeoutMs: 90_000, everyMs: 500 },
    );
    await page.locator('#now:not([data-live])').waitFor({ timeout: 90_000 });
    await customer.inspect('customer-app');
    // The task has made the file of its output, which only a build fills.
    const appId = page.url().split('/').at(-1);
    const line = `echo "the build says hello" >> ~/logs/app-${appId}-build.log`;
    expect((await server.box.exec(['su', '-s', '/bin/sh', '-c', line, ACCOUNT])).exitCode).toBe(0);
    await page.getByRole('link', { name: 'Build log' }).click();
    await page.getByText('the build says hello').waitFor();
    await customer.inspect('customer-build-log');
  });

  it('installs a program, and changes its settings', async () => {
    const { page } = customer;
    await customer.open('/apps/new?template=nodejs');
    await page.getByLabel('Name', { exact: true }).fill('Program');
    await page.getByLabel('More environment variables').fill('GREETING=hello\nAPI_TOKEN=secret');
    await page.getByLabel('Repository').fill('https://git.example.com/me/shop.git');
    await page.locator('form.stack button.btn-primary').click();
    await page.waitForURL(/\/apps\/\d+$/);
    await press(customer, 'Turn on deploy on push');
    await page.getByLabel('Webhook secret', { exact: true }).waitFor();
    await customer.inspect('customer-app-push');
    await page.getByRole('link', { name: 'Change settings' }).click();
    await page.getByLabel('Remove API_TOKEN').check();
    await customer.inspect('customer-app-settings');
    await press(customer, 'Save settings');
    await page.getByText('The settings were saved.').waitFor();
    expect(await page.getByText('API_TOKEN').count()).toBe(0);
    customer.requireNoFault();
  });

  it('creates a database, and connects with the password that the page shows', async () => {
    const { page } = customer;
    await customer.open('/databases');
    await page.getByLabel('Name').fill('stock');
    await press(customer, 'Add the database');
    await page.waitForURL(/\/databases\/\d+$/);
    await page.getByText('Show the password').click();
    const password = await page.getByLabel('Password', { exact: true }).inputValue();
    const user = await page.getByLabel('User', { exact: true }).inputValue();
    await customer.inspect('customer-database-password');
    await page.getByLabel('IP address').fill(installation.boxes.network.hostAddress);
    await press(customer, 'Allow the address');
    const login = [
      'mariadb',
      '--no-defaults',
      '--ssl',
      '-N',
      '-h',
      server.address,
      '-u',
      user,
      `-p${password}`,
      user,
    ];
    await waitUntil(
      'the database to let it in',
      async () => (await runProgram([...login, '-e', 'select 6 * 7'])).stdout === '42\n',
      { timeoutMs: 60_000, everyMs: 500 },
    );
    customer.requireNoFault();
  });

  it('adds a cron job', async () => {
    const { page } = customer;
    await customer.open('/cron/new');
    await page.getByLabel('Name').fill('Every minute');
    await page.getByLabel('When').selectOption({ label: 'Custom schedule below' });
    await page.getByLabel('Schedule', { exact: true }).fill('* * * * *');
    await page.getByLabel('Command').fill('touch cron-was-here');
    await press(customer, 'Add the scheduled task');
    await page.waitForURL((url) => url.pathname !== '/cron/new');
    await customer.open('/cron');
    await page.getByRole('link', { name: 'Every minute' }).waitFor();
    customer.requireNoFault();
  });

  it('has pages without console errors, accessibility findings or overflow', async () => {
    const ofRecords = async (list: string, at: RegExp) => {
      await customer.open(list);
      const hrefs = await customer.page
        .locator('main a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      return hrefs.filter((href) => at.test(href)).slice(0, 1);
    };
    await addHistory(installation);
    await inspectAll(customer, 'customer', [
      '/',
      '/usage',
      '/usage?range=30d',
      '/sites',
      '/sites/new',
      ...(await ofRecords('/sites', /^\/sites\/\d+$/)),
      '/apps',
      '/apps/new',
      '/apps/new?template=nodejs',
      '/databases',
      '/cron',
      '/cron/new',
      ...(await ofRecords('/cron', /^\/cron\/\d+$/)),
      '/ssh-keys',
      '/ftp/new',
      '/sent-mail',
      '/security',
      '/files',
    ]);
  });

  it('has the same pages in German', async () => {
    await customer.page.context().addCookies([{ name: 'innkeeper_language', value: 'de', url: origin }]);
    await inspectAll(customer, 'customer-de', [
      '/',
      '/usage',
      '/sites',
      '/sites/new',
      '/apps',
      '/databases',
      '/cron/new',
      '/ssh-keys',
      '/ftp/new',
      '/sent-mail',
      '/security',
    ]);
    expect(await customer.page.locator('html').getAttribute('lang')).toBe('de');
    await customer.page.context().clearCookies({ name: 'innkeeper_language' });
  });

  it('sees the effect of its cron job', async () => {
    await (await startCronClock(server.box)).passMinute();
    await waitUntil(
      'the job to have run',
      async () => (await server.box.exec(['test', '-e', `/home/${ACCOUNT}/cron-was-here`])).exitCode === 0,
      { timeoutMs: 150_000, everyMs: 1_000 },
    );
  });
});

describe('the operator of that customer', () => {
  it('has pages without console errors, accessibility findings or overflow', async () => {
    await addHistory(installation);
    await inspectAll(operator, 'operator', [
      '/',
      '/accounts',
      '/accounts/new',
      '/accounts/new/custom',
      `/accounts/${accountId}`,
      `/accounts/${accountId}/usage?range=7d`,
      `/accounts/${accountId}/mail`,
      `/accounts/${accountId}/package`,
      `/accounts/${accountId}/limits`,
      `/accounts/${accountId}/password`,
      '/packages',
      '/packages/new',
      '/packages/1',
      '/resellers',
      '/resellers/new',
      '/nodes',
      '/nodes/1',
      '/nodes/1/mail-relay',
      '/mail-relay',
      '/audit',
      '/search?q=web',
      '/staff',
      '/staff/new',
      '/security',
      '/security/tokens',
    ]);
  });

  it('suspends the account: its site answers 503, it has no process, and its user is signed out', async () => {
    const { page } = operator;
    await operator.open(`/accounts/${accountId}`);
    await page.getByText('Suspend', { exact: true }).click();
    await press(operator, `Suspend ${ACCOUNT}`);
    await page.getByText(`${ACCOUNT} is suspended.`).waitFor({ timeout: 60_000 });
    await waitUntil('the site to say so', async () => (await visit(server.address, DOMAIN)).status === 503, {
      timeoutMs: 60_000,
      everyMs: 250,
    });
    expect(await server.box.exec(['pgrep', '--uid', `${uid}`])).toMatchObject({ exitCode: 1, stdout: '' });
    await customer.open('/');
    expect(new URL(customer.page.url()).pathname).toBe('/login');
    operator.requireNoFault();
  });

  it('terminates the account by typing its name, and nothing of it is left', async () => {
    const { page } = operator;
    await operator.open(`/accounts/${accountId}`);
    await page.getByText('Terminate', { exact: true }).click();
    await page.getByLabel(`Type ${ACCOUNT} to confirm`).fill('somebody');
    await press(operator, 'Terminate permanently');
    await page.getByRole('alert').first().waitFor();
    await page.getByLabel(`Type ${ACCOUNT} to confirm`).fill(ACCOUNT);
    await press(operator, 'Terminate permanently');
    const api = createRestClient(installation.baseUrl, installation.token);
    await waitUntil(
      'the account to be gone',
      async () => (await api.get(`/accounts/${accountId}`)).status === 404,
      {
        timeoutMs: 90_000,
        everyMs: 500,
      },
    );
    expect(await findTraces(server.box, ACCOUNT, uid)).toBe('');
    operator.requireNoFault();
  });
});
