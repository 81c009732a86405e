import { type HostingServer, type Installation, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BrowserVisitor, type PanelBrowser, startBrowser } from './browser.ts';
import { filePagesToInspect, walkFileManager } from './file-manager-walk.ts';
import { useInstallation } from './installation.ts';
import { createRestClient, type RestClient } from './rest-client.ts';

/** The file manager on a hosting server: by hand in a browser, and its limits. The cases depend on each other. */
const ACCOUNT = 'fileshop';
const PASSWORD = 'correct horse battery';
const HOME = `/home/${ACCOUNT}`;

vi.setConfig({ testTimeout: 300_000 });

let installation: Installation;
let server: HostingServer;
let browser: PanelBrowser;
let customer: BrowserVisitor;
let api: RestClient;
let accountId = 0;
let uid = 0;
let origin = '';

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  origin = `http://127.0.0.1:${installation.ports.http}`;
  browser = await startBrowser([origin]);
  api = createRestClient(installation.baseUrl, installation.token);
  const packages = await api.get<{ data: { id: number; name: string }[] }>('/packages');
  const made = await api.post<{ data: { id: number } }>('/accounts', {
    username: ACCOUNT,
    name: 'A shop',
    email: `${ACCOUNT}@example.com`,
    password: PASSWORD,
    package_id: packages.body.data.find(({ name }) => name === 'Professional')?.id,
  });
  expect(made.status).toBe(201);
  accountId = made.body.data.id;
  uid = Number((await server.box.require(['id', '-u', ACCOUNT])).trim());
  await asAccount('mkdir', '-p', `${HOME}/docs`);
  await write('docs/a.php', '<?php\necho 1;\n');
  customer = await browser.visitor();
  await customer.open('/login');
  await customer.page.locator('[name=username]').fill(ACCOUNT);
  await customer.page.locator('[name=password]').fill(PASSWORD);
  await customer.page.keyboard.press('Enter');
  await customer.page.waitForURL(`${origin}/`);
}, 300_000);

afterAll(async () => {
  await browser?.stop();
  if (accountId !== 0) await api.delete(`/accounts/${accountId}`);
});

const asAccount = (...argv: string[]) =>
  server.box.require(['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--', ...argv]);
const read = (path: string) => server.box.require(['cat', `${HOME}/${path}`]);
async function write(path: string, text: string): Promise<void> {
  await asAccount('perl', '-e', 'open my $f, ">", shift or die; print $f shift', `${HOME}/${path}`, text);
}

/** The processes of the file programs of the account. */
async function programs(): Promise<string[]> {
  const found = await server.box.exec(['pgrep', '-u', `${uid}`, '-f', 'innkeeper-files']);
  return found.stdout.trim().split('\n').filter(Boolean);
}

it('is worked with by hand', async () => {
  await walkFileManager(customer, { read, write });
});

it('has pages without a finding, in every size, light and dark', async () => {
  for (const path of filePagesToInspect) {
    await customer.open(path);
    await customer.inspect(`files${path.replaceAll(/[^a-z]+/g, '-')}`);
  }
});

it('runs as the account, in its slice, with its own home only', async () => {
  await customer.open('/files');
  const [pid] = await programs();
  expect(await read(`../../proc/${pid}/cgroup`)).toContain(`user-${uid}.slice`);
  const status = await read(`../../proc/${pid}/status`);
  expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}\\s+${uid}$`, 'm'));
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  expect((await server.box.require(['ls', `/proc/${pid}/root/home`])).trim()).toBe(ACCOUNT);
  expect(await server.box.require(['stat', '-c', '%U', `${HOME}/docs/large.bin`])).toBe(`${ACCOUNT}\n`);
});

it('continues after its programs were killed, and after the agent restarted', async () => {
  for (const pid of await programs()) await server.box.exec(['kill', '-9', pid]);
  expect(await customer.open('/files/browse/docs')).toBe(200);
  await server.box.require(['systemctl', 'restart', 'innkeeper-agent']);
  await waitUntil('the files again', async () => (await customer.open('/files/browse/docs')) === 200, {
    timeoutMs: 60_000,
    everyMs: 1_000,
  });
  customer.faults.splice(0);
});

it('ends with a suspension, and leaves no process', async () => {
  await customer.open('/files');
  expect((await programs()).length).toBeGreaterThan(0);
  expect(await api.patch(`/accounts/${accountId}/suspend`)).toMatchObject({ status: 200 });
  await waitUntil('no program', async () => (await programs()).length === 0, { timeoutMs: 5_000 });
});
