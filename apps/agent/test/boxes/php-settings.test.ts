import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AccountSpec, type PhpSettings, plainPhp, plainSite } from '@innkeeper/protocol';
import type { Box } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';

/** What owners of sites set for PHP, as scripts and uploads of their site meet it. */
let server: AgentBox;
let box: Box;

const SHOP = 'shop.example.com';
const OTHER = 'other.example.com';
let account: AccountSpec = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'shop',
  domains: [
    domainOf(1, SHOP),
    domainOf(2, OTHER, { is_primary: false }),
    domainOf(3, 'alias.example.com', { is_primary: false, alias_of: 1 }),
  ],
});
const INI = `/etc/innkeeper/php/${account.uid}.d/sites.ini`;

const script = `<?php
header('Content-Type: application/json');
if (isset($_GET['raise'])) { ini_set('memory_limit', '-1'); @set_time_limit(0); }
if (isset($_GET['fail'])) { echo $undefined; return; }
echo json_encode([
  'memory' => ini_get('memory_limit'),
  'upload' => ini_get('upload_max_filesize'),
  'post' => ini_get('post_max_size'),
  'time' => ini_get('max_execution_time'),
  'vars' => ini_get('max_input_vars'),
  'errors' => (bool) ini_get('display_errors'),
  'zone' => date_default_timezone_get(),
  'prepended' => ini_get('auto_prepend_file'),
  'received' => count($_POST),
  'pid' => posix_getppid(),
]);`;

async function ask(host: string, path = '/', body = ''): Promise<string> {
  const headers = {
    host,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': body.length,
  };
  const method = body === '' ? 'GET' : 'POST';
  const call = request({ host: box.address, path, method, headers, agent: false }).end(body);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

async function settingsOf(host: string, path = '/', body = '') {
  return JSON.parse(await ask(host, path, body)) as Record<string, unknown>;
}

const withPhp = (spec: AccountSpec, php: Partial<PhpSettings>): AccountSpec => ({
  ...spec,
  generation: spec.generation + 1,
  domains: spec.domains.map((domain) =>
    domain.domain_id === 1 ? { ...domain, site: { ...plainSite, php: { ...plainPhp, ...php } } } : domain,
  ),
});

async function set(php: Partial<PhpSettings>): Promise<void> {
  account = withPhp(account, php);
  expect(await server.settle(account)).toMatchObject({ outcome: 'applied' });
}

const defaults = { memory: '256M', upload: '256M', post: '256M', time: '30', vars: '1000', errors: false };

beforeAll(async () => {
  server = await startAgentBox('php-settings');
  box = server.box;
  expect(await server.settle(account)).toMatchObject({ outcome: 'applied' });
  for (const name of [SHOP, OTHER])
    await asAccount(
      box,
      account,
      `umask 022; cat > /home/shop/domains/${name}/public_html/index.php`,
      script,
    );
}, 240_000);

afterAll(() => server?.remove());

test('a site has what its owner sets, under all its names; its neighbour keeps the defaults', async () => {
  for (const name of [SHOP, OTHER]) expect(await settingsOf(name)).toMatchObject(defaults);
  expect(await box.exec(['test', '-e', INI])).toMatchObject({ exitCode: 1 });
  await set({
    memory_limit_mb: 100,
    upload_mb: 20,
    execution_s: 60,
    input_vars: 100,
    display_errors: true,
    time_zone: 'Asia/Kolkata',
  });
  const wanted = {
    memory: '100M',
    upload: '20M',
    post: '20M',
    time: '60',
    vars: '100',
    errors: true,
    zone: 'Asia/Kolkata',
  };
  for (const name of [SHOP, `www.${SHOP}`, 'alias.example.com', 'www.alias.example.com'])
    expect(await settingsOf(name)).toMatchObject(wanted);
  expect(await settingsOf(OTHER)).toMatchObject({ ...defaults, zone: 'UTC' });
  expect(await settingsOf(SHOP, '/?raise')).toMatchObject({ memory: '100M', time: '60' });
  const fields = Array.from({ length: 500 }, (_, n) => `a${n}=1`).join('&');
  // PHP keeps one more than it reports.
  expect(await settingsOf(SHOP, '/', fields)).toMatchObject({ received: 101 });
  expect(await settingsOf(OTHER, '/', fields)).toMatchObject({ received: 500 });
  expect(await ask(SHOP, '/?fail')).toContain('Undefined variable');
  expect(await ask(OTHER, '/?fail')).toBe('');
});

test('settings that are removed leave the defaults', async () => {
  await set({ memory_limit_mb: 64 });
  expect(await settingsOf(SHOP)).toMatchObject({ memory: '64M' });
  await set({});
  expect(await settingsOf(SHOP)).toMatchObject({ ...defaults, zone: 'UTC' });
});

test('a request to empty the cache starts PHP anew', async () => {
  const { pid } = await settingsOf(SHOP);
  expect(await settingsOf(SHOP)).toMatchObject({ pid });
  await set({ cache_revision: 1 });
  expect((await settingsOf(SHOP)).pid).not.toBe(pid);
});

test('hostile values are refused as a whole, and PHP keeps what it had', async () => {
  await set({ input_vars: 300 });
  const before = await box.require(['cat', INI]);
  for (const [field, value] of [
    ['time_zone', 'UTC"\nauto_prepend_file = /home/shop/evil.php\n[x'],
    ['time_zone', `UTC\n[HOST=${OTHER}]\nmemory_limit=-1`],
    ['memory_limit_mb', 1_000_000_000],
  ] as const) {
    account = withPhp(account, { [field]: value });
    expect(await server.settle(account)).toMatchObject({
      outcome: 'failed',
      conditions: [{ type: 'spec', message: expect.stringContaining(`site.php.${field}`) }],
    });
  }
  expect(await box.require(['cat', INI])).toBe(before);
  expect(await settingsOf(SHOP)).toMatchObject({ vars: '300', prepended: '' });
  expect(await settingsOf(OTHER)).toMatchObject({ ...defaults, prepended: '' });
  await set({ input_vars: 300 });
});

test('an account cannot change the settings, and its end leaves nothing of them', async () => {
  const tried = await asAccount(box, account, `echo x >> ${INI} || cat ${INI} > /dev/null && echo readable`);
  expect(tried).toContain('readable');
  account = { ...account, generation: account.generation + 1, desired_state: 'absent' };
  expect(await server.settle(account)).toMatchObject({ outcome: 'absent' });
  expect(await box.exec(['test', '-e', `/etc/innkeeper/php/${account.uid}.d`])).toMatchObject({
    exitCode: 1,
  });
});
