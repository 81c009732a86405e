import { type Installation, makeZip, requireInnctl, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BrowserVisitor, type PanelBrowser, startBrowser } from './browser.ts';
import { useInstallation } from './installation.ts';
import { createRestClient } from './rest-client.ts';

/**
 * The usual tasks of an operator and a customer, from the first page of their role. Each has at most the clicks of the
 * best of cPanel/WHM, Plesk, Hestia and Enhance (docs/design/panel.md). A click is one on a link, a button or a tile;
 * keys, fields and choices in lists are not. Seconds are printed, never asserted: they depend on the machine.
 */
const OPERATOR = 'tasks-operator';
const ACCOUNT = 'taskshop';
const PASSWORD = 'correct horse battery';

vi.setConfig({ testTimeout: 300_000 });

let installation: Installation;
let origin = '';
let browser: PanelBrowser;
let operator: BrowserVisitor;
let customer: BrowserVisitor;
const results: { task: string; clicks: number; best: number; seconds: number }[] = [];

async function signIn(visitor: BrowserVisitor, username: string): Promise<void> {
  await visitor.open('/login');
  await visitor.page.locator('[name=username]').fill(username);
  await visitor.page.locator('[name=password]').fill(PASSWORD);
  await visitor.page.keyboard.press('Enter');
  await visitor.page.waitForURL(`${origin}/`);
}

beforeAll(async () => {
  installation = await useInstallation();
  await installation.addHostingServer('web1');
  origin = `http://127.0.0.1:${installation.ports.http}`;
  browser = await startBrowser([origin]);
  operator = await browser.visitor();
  customer = await browser.visitor();
  const argv = ['admin', 'create', '--username', OPERATOR, '--email', `${OPERATOR}@example.com`];
  await requireInnctl(installation.innctl, [...argv, '--password-file', '-'], PASSWORD);
  await signIn(operator, OPERATOR);
}, 300_000);

afterAll(async () => {
  await browser?.stop();
  console.table(results);
  const id = accountId;
  if (id === 0) return;
  const api = createRestClient(installation.baseUrl, installation.token);
  await api.delete(`/accounts/${id}`);
  await waitUntil('the account to be gone', async () => (await api.get(`/accounts/${id}`)).status === 404, {
    timeoutMs: 90_000,
    everyMs: 500,
  });
});

let accountId = 0;

interface Steps {
  page: BrowserVisitor['page'];
  /** Clicks the first visible element that matches. */
  click(selector: string): Promise<void>;
  fill(name: string, text: string): Promise<void>;
  choose(name: string, label: string): Promise<void>;
  /** Opens a record or page by Ctrl-K, the beginning of its name, and Enter: keys, and no click. */
  find(text: string, path: RegExp): Promise<void>;
}

/** Walks a task from the first page, and notes its clicks and seconds. Every selector names what the page does, not its words. */
async function walk(
  visitor: BrowserVisitor,
  { task, best }: { task: string; best: number },
  run: (steps: Steps) => Promise<void>,
): Promise<void> {
  const { page } = visitor;
  await visitor.open('/');
  let clicks = 0;
  const startedAt = performance.now();
  await run({
    page,
    click: async (selector) => {
      clicks += 1;
      await page.locator(selector).filter({ visible: true }).first().click();
    },
    fill: (name, text) => page.locator(`main [name="${name}"]:visible`).first().fill(text),
    choose: async (name, label) => {
      await page.locator(`main select[name="${name}"]`).first().selectOption({ label });
    },
    find: async (text, path) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
      await page.locator('#search-results a').filter({ hasText: text }).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(path);
    },
  });
  const seconds = Math.round(performance.now() - startedAt) / 1_000;
  results.push({ task, clicks, best, seconds });
  expect(clicks, task).toBeLessThanOrEqual(best);
  visitor.requireNoFault();
}

const nav = (path: string) => `nav a[href="${path}"]`;
const send = (action: string) => `form[action="${action}"] button[type=submit]`;

describe('an operator', () => {
  it('creates an account', () =>
    walk(operator, { task: 'create an account', best: 3 }, async ({ page, click, fill, choose }) => {
      await click(nav('/accounts'));
      await click('main a[href="/accounts/new"]');
      await fill('username', ACCOUNT);
      await fill('name', 'A shop');
      await fill('email', `${ACCOUNT}@example.com`);
      await fill('password', PASSWORD);
      await choose('package_id', 'Professional');
      await click(send('/accounts/new'));
      await page.getByLabel(/access details/i).waitFor({ timeout: 60_000 });
      const href = await page.locator('main a[href^="/accounts/"]').last().getAttribute('href');
      accountId = Number(/\d+/.exec(href ?? '')?.[0]);
      expect(accountId).toBeGreaterThan(0);
    }));

  it('changes its package', () =>
    walk(operator, { task: 'change the package', best: 3 }, async ({ page, click, choose, find }) => {
      await find(ACCOUNT, /\/accounts\/\d+$/);
      await click(`main a[href="/accounts/${accountId}/package"]`);
      await choose('package_id', 'Business');
      await click(send(`/accounts/${accountId}/package`));
      await page.waitForURL(/\/accounts\/\d+$/);
    }));

  it('sets its password', () =>
    walk(operator, { task: 'set a password', best: 3 }, async ({ page, click, fill, find }) => {
      await find(ACCOUNT, /\/accounts\/\d+$/);
      await click(`main a[href="/accounts/${accountId}/password"]`);
      await fill('password', PASSWORD);
      await click(send(`/accounts/${accountId}/password`));
      await page.waitForURL(/\/accounts\/\d+$/);
    }));

  it('suspends it, and lets it work again', async () => {
    const suspend = `/accounts/${accountId}/suspend`;
    await walk(operator, { task: 'find and suspend', best: 2 }, async ({ page, click, find }) => {
      await find(ACCOUNT, /\/accounts\/\d+$/);
      await click(`details:has(form[action="${suspend}"]) > summary`);
      await click(send(suspend));
      await page.locator(`form[action="/accounts/${accountId}/unsuspend"]`).first().waitFor();
    });
    await operator.page
      .locator(send(`/accounts/${accountId}/unsuspend`))
      .first()
      .click();
    await operator.page.locator(`form[action="${suspend}"]`).first().waitFor({ state: 'attached' });
  });

  it('logs in as its user', async () => {
    await walk(operator, { task: 'log in as the user', best: 1 }, async ({ page, click, find }) => {
      await find(ACCOUNT, /\/accounts\/\d+$/);
      const opened = page.context().waitForEvent('page');
      await click(send(`/accounts/${accountId}/log-in`));
      const tab = await opened.catch(() => page);
      await tab.waitForURL(/\/as\/\d+\//);
      if (tab !== page) await tab.close();
    });
  });

  it('creates a package from another one', () =>
    walk(operator, { task: 'create a package', best: 2 }, async ({ page, click, fill, find }) => {
      await find('Professional', /\/packages\/\d+$/);
      await click('main a[href^="/packages/new?copy="]');
      await fill('name', 'Tasks');
      await click(send('/packages/new'));
      await page.waitForURL(/\/packages\/\d+$/);
    }));

  it('creates an API token', () =>
    walk(operator, { task: 'create an API token', best: 3 }, async ({ page, click, fill }) => {
      await click(nav('/security/tokens'));
      await fill('name', 'Tasks');
      await page.locator('main select[name=preset]').selectOption('read_only');
      await click(send('/security/tokens'));
      await page.locator('#plain-token').waitFor();
    }));
});

describe('a customer', () => {
  beforeAll(() => signIn(customer, ACCOUNT), 60_000);

  it('adds a domain, whose certificate follows by itself', () =>
    walk(customer, { task: 'add a domain with SSL', best: 3 }, async ({ page, click, fill }) => {
      await click('main a[href="/sites/new"]');
      await fill('domain_name', 'taskshop.example.com');
      await click(send('/sites'));
      await page.waitForURL(/\/sites\/\d+$/);
      await page.locator('#certificate').waitFor();
    }));

  it('requests WordPress on a new domain', () =>
    walk(customer, { task: 'install WordPress', best: 4 }, async ({ page, click, fill }) => {
      await click('main a[href="/sites/new"]');
      await fill('domain_name', 'blog.taskshop.example.com');
      await click('label.option:has(input[value="wordpress"])');
      await click(send('/sites'));
      await page.waitForURL(/\/sites\/\d+$/);
      await page.locator('#app').waitFor();
    }));

  it('publishes a change', async () => {
    await customer.open('/apps/new?template=static');
    await customer.page.locator('main [name=name]').fill('Pages');
    await customer.page.locator(`main ${send('/apps')}`).click();
    await customer.page.waitForURL(/\/apps\/\d+$/);
    await customer.page.locator('#now:not([data-live])').waitFor({ timeout: 90_000 });
    const { pathname } = new URL(customer.page.url());
    await walk(customer, { task: 'publish a change', best: 4 }, async ({ page, click }) => {
      await click(nav('/apps'));
      await click(`main a[href="${pathname}"]`);
      const buffer = makeZip([{ name: 'index.html', data: 'It changed.' }]);
      await page
        .locator('#field-archive')
        .setInputFiles({ name: 'pages.zip', mimeType: 'application/zip', buffer });
      await click(`form[action^="${pathname}/deploy-zip"] button[type=submit]`);
      await page.locator('#now td.t-act, #now .status.is-good').first().waitFor({ timeout: 90_000 });
    });
  });

  it('creates a database and sees its password', () =>
    walk(customer, { task: 'a database and its password', best: 3 }, async ({ page, click, fill }) => {
      await click(nav('/databases'));
      await fill('name', 'stock');
      await click(send('/databases'));
      await page.waitForURL(/\/databases\/\d+$/);
      await click(`form[action="${new URL(page.url()).pathname}/password"] button[type=submit]`);
      await page.locator('#db-password').waitFor();
    }));

  it('adds a cron job', () =>
    walk(customer, { task: 'add a cron job', best: 3 }, async ({ page, click, fill }) => {
      await click(nav('/cron'));
      await click('main a[href="/cron/new"]');
      await fill('name', 'Nightly');
      await fill('command', 'php report.php');
      await click(send('/cron'));
      await page.waitForURL((url) => url.pathname !== '/cron/new');
    }));

  it('changes its password', () =>
    walk(customer, { task: 'change the own password', best: 3 }, async ({ page, click, fill }) => {
      await click('.user > summary');
      await click('.user a[href="/security"]');
      await fill('current_password', PASSWORD);
      await fill('password', `${PASSWORD} 2`);
      await fill('repeated_password', `${PASSWORD} 2`);
      await click(send('/security/password'));
      await page.locator('#notice').waitFor();
    }));
});
