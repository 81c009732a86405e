import { randomBytes } from 'node:crypto';
import { type HostingServer, type Installation, waitUntil } from '@innkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type BrowserVisitor, type PanelBrowser, startBrowser } from './browser.ts';
import { useInstallation } from './installation.ts';
import { createRestClient, type RestClient } from './rest-client.ts';

/**
 * The terminal of the panel on a hosting server: by hand in a browser, and over its WebSocket. The cases depend on each
 * other.
 */
const ACCOUNT = 'termshop';
const PASSWORD = 'correct horse battery';
const ENDED = 4000;
const LOST = 4002;

vi.setConfig({ testTimeout: 180_000 });

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
    terminal_access: true,
  });
  expect(made.status).toBe(201);
  accountId = made.body.data.id;
  uid = Number((await server.box.require(['id', '-u', ACCOUNT])).trim());
  customer = await browser.visitor();
  await signIn();
}, 300_000);

afterAll(async () => {
  await browser?.stop();
  if (accountId !== 0) await api.delete(`/accounts/${accountId}`);
});

async function signIn(): Promise<void> {
  await customer.open('/login');
  await customer.page.locator('[name=username]').fill(ACCOUNT);
  await customer.page.locator('[name=password]').fill(PASSWORD);
  await customer.page.keyboard.press('Enter');
  await customer.page.waitForURL(`${origin}/`);
}

/** What the terminal on the page shows. */
const screen = () =>
  customer.page
    .locator('.terminal-pane:not([hidden]) .xterm-rows')
    .evaluate((rows) => [...rows.children].map((row) => row.textContent).join('\n'));

async function typeLine(text: string): Promise<void> {
  await customer.page.keyboard.type(text);
  await customer.page.keyboard.press('Enter');
}

const shows = (what: RegExp) =>
  waitUntil(`${what} on the screen`, async () => what.test(await screen()), { timeoutMs: 20_000 });

/** A terminal without a browser. */
async function connect(session = randomBytes(16).toString('hex')) {
  const cookies = await customer.page.context().cookies();
  const url = `${origin.replace('http', 'ws')}/terminal/socket?session=${session}&columns=100&rows=30`;
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const socket = new WebSocket(url, { headers: { Cookie: cookie, Origin: origin } });
  let received = '';
  socket.on('message', (data: Buffer) => {
    received += data.toString('latin1');
  });
  socket.on('error', () => {});
  const closed = new Promise<number>((resolve) => void socket.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_, { statusCode }) => reject(new Error(`status ${statusCode}`)));
  });
  return {
    session,
    closed,
    received: () => received,
    type: (text: string) => socket.send(Buffer.from(text)),
    close: () => socket.send(JSON.stringify({ type: 'close' })),
    breakLine: () => socket.terminate(),
    seen: (what: RegExp) =>
      waitUntil(`${what} from the shell`, () => what.exec(received) ?? undefined, { timeoutMs: 20_000 }),
  };
}

/** The units of terminals on the server. */
async function units(): Promise<string[]> {
  const argv = ['systemctl', 'list-units', '--plain', '--no-legend', 'innkeeper-channel-*.service'];
  const lines = (await server.box.require(argv)).split('\n').filter((line) => line.includes(`-${uid}-`));
  return lines.map((line) => line.split(' ')[0] ?? '');
}

describe('in a browser', () => {
  it('is a shell of the account, with its size', async () => {
    await customer.open('/terminal');
    await shows(/\$/);
    await typeLine('id -un; pwd; tty; echo $((6*7))');
    await shows(/termshop[\s\S]*\/home\/termshop[\s\S]*\/dev\/pts\/\d+[\s\S]*42/);
    await customer.page.setViewportSize({ width: 1_000, height: 800 });
    await typeLine('stty size');
    await shows(/\n\d+ \d+\s/);
  });

  it('has several tabs, and finds its sessions again after a reload', async () => {
    await typeLine('first=mine');
    await customer.page.getByRole('button', { name: 'New terminal' }).click();
    await shows(/\$/);
    await typeLine('echo "second:$first:"');
    await shows(/second::/);
    await customer.page.reload();
    await customer.page.getByRole('tab', { name: 'Terminal 1' }).click();
    await shows(/first=mine/);
    await typeLine('echo "again:$first:"');
    await shows(/again:mine:/);
    expect(await units()).toHaveLength(2);
  });

  it('has a page without faults', async () => {
    await customer.inspect('customer-terminal');
  });

  it('ends a session with exit, and with its tab', async () => {
    await customer.page.getByRole('tab', { name: 'Terminal 1' }).click();
    await typeLine('exit');
    await shows(/The session has ended/);
    await customer.page.getByRole('tab', { name: 'Terminal 2' }).click();
    await customer.page.getByRole('button', { name: 'Close terminal' }).click();
    await waitUntil('all sessions to end', async () => (await units()).length === 0, { timeoutMs: 20_000 });
    customer.requireNoFault();
  });
});

describe('the shell', () => {
  it('is in the slice, and sees its own home and processes alone', async () => {
    const terminal = await connect();
    terminal.type(
      'cat /proc/self/cgroup; ls -A /home; ls -d /proc/[0-9]* | wc -l; cat /proc/1/comm; echo done\n',
    );
    const [text] = await terminal.seen(/cgroup;[\s\S]*\ndone/);
    expect(text).toContain(`user-${uid}.slice/innkeeper-channel-${uid}-`);
    expect(text).toMatch(/\ntermshop\r\n/);
    expect(text).toMatch(/No such file or directory|Permission denied/);
    terminal.type('sudo -n true; mount -t tmpfs x /mnt; unshare -U true; echo over\n');
    const [refused] = await terminal.seen(/unshare -U true; echo over\r\n[\s\S]*\nover/);
    expect(refused).not.toContain('root');
    terminal.close();
    expect(await terminal.closed).toBe(ENDED);
  });

  it('leaves nothing that it started', async () => {
    const terminal = await connect();
    terminal.type('nohup setsid sleep 987 >/dev/null 2>&1 & echo started\n');
    await terminal.seen(/\nstarted/);
    terminal.close();
    await terminal.closed;
    await waitUntil(
      'the program to be gone',
      async () => (await server.box.exec(['pgrep', '-u', `${uid}`, '-f', 'sleep 987'])).exitCode !== 0,
      { timeoutMs: 10_000 },
    );
  });

  it('ends with the suspension of its account', async () => {
    const terminal = await connect();
    terminal.type('trap "" HUP TERM; while :; do sleep 1; done &\n');
    await terminal.seen(/done &/);
    const startedAt = performance.now();
    expect((await api.patch(`/accounts/${accountId}/suspend`)).status).toBe(200);
    expect([ENDED, LOST]).toContain(await terminal.closed);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect((await server.box.exec(['pgrep', '-u', `${uid}`])).exitCode).toBe(1);
    expect((await api.patch(`/accounts/${accountId}/unsuspend`)).status).toBe(200);
    await signIn();
  });

  it('survives a restart of the API, and ends with the agent, which says so', async () => {
    const first = await connect();
    first.type('kept=yes\n');
    await first.seen(/kept=yes/);
    await installation.killApi('SIGKILL');
    await first.closed;
    await installation.startApi();
    // The agent connects to the new process within some seconds.
    const again = await waitUntil(
      'the session to be found',
      async () => {
        const terminal = await connect(first.session);
        terminal.type('echo "kept:$kept:"\n');
        const end = await Promise.race([terminal.closed, terminal.seen(/kept:yes:/)]);
        return typeof end === 'number' ? undefined : terminal;
      },
      { timeoutMs: 60_000, everyMs: 500 },
    );
    await server.box.require(['systemctl', 'restart', 'innkeeper-agent']);
    expect(await again.closed).toBe(LOST);
    await waitUntil('the unit to be gone', async () => (await units()).length === 0, { timeoutMs: 30_000 });
  });
});
