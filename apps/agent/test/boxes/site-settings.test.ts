import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AccountSpec, plainSite, type SiteSettings } from '@innkeeper/protocol';
import {
  type Box,
  type NpmRegistry,
  startNpmRegistry,
  testInstallation,
  waitUntil,
} from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainOf, nodeApp, specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { appOf } from './deploys.ts';

/** What owners of sites set, as nginx does it. No change reloads nginx. */
let server: AgentBox;
let box: Box;
let registry: NpmRegistry;

const SITES = '/etc/innkeeper/sites';
const SHOP = 'shop.example.com';
const CHALLENGE = '/.well-known/acme-challenge/token';
const HASH =
  '$6$rounds=1000$saltstring$Zu2Vknok2/f53APfN687ADnzeNBLcsEgTwvcBHMD2./07rZQAt8vsuKVufD15dyZh.LOLB/uZKf6I3GyON4bp/';
const PASSWORD = 'Hello world!';
const locked = (folder: string | null = null) => ({ password: { folder, user: 'guest', hash: HASH } });

let shop: AccountSpec = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'shop',
  domains: [domainOf(1, SHOP), domainOf(2, 'app.example.com', { is_primary: false })],
  apps: [nodeApp(1, { domain_id: 2 })],
});
const neighbour = specOf({
  account_id: 2,
  uid: 20_002,
  linux_user: 'neighbour',
  domains: [domainOf(3, 'neighbour.example.com')],
});

interface Asked {
  path?: string;
  auth?: string;
  method?: string;
}

async function ask(host: string, { path = '/', auth, method = 'GET' }: Asked = {}) {
  const options = { host: box.address, path, method, headers: { host }, agent: false as const };
  const call = request(auth === undefined ? options : { ...options, auth }).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, location: answer.headers.location, body };
}
const status = async (host: string, asked: Asked = {}) => (await ask(host, asked)).status;
const withPassword = { auth: `guest:${PASSWORD}` };

async function settle(changes: Partial<AccountSpec>): Promise<void> {
  shop = { ...shop, ...changes, generation: shop.generation + 1 };
  expect(await server.settle(shop)).toMatchObject({ outcome: 'applied' });
}

/** Sets the settings of a domain's site. */
async function set(changes: Partial<SiteSettings>, domain_id = 1): Promise<void> {
  const site = { ...plainSite, ...changes };
  await settle({
    domains: shop.domains.map((domain) => (domain.domain_id === domain_id ? { ...domain, site } : domain)),
  });
}

const write = (spec: AccountSpec, path: string, text: string) =>
  asAccount(
    box,
    spec,
    `umask 022; cd /home/${spec.linux_user}; mkdir -p "$(dirname '${path}')"; cat > '${path}'`,
    text,
  );
const root = `domains/${SHOP}/public_html`;
const targetOf = async (name: string) => (await box.require(['readlink', `${SITES}/${name}`])).trim();

beforeAll(async () => {
  registry = await startNpmRegistry((await testInstallation()).boxes.network.hostAddress);
  server = await startAgentBox('site-settings');
  box = server.box;
  await server.configure({ INNKEEPER_NPM_REGISTRY: registry.url });
  for (const spec of [shop, neighbour])
    expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
  await write(shop, `${root}/index.php`, '<?php echo "php ", $_SERVER["REQUEST_URI"];');
  await write(shop, `${root}/file.txt`, 'a file');
  await write(shop, `${root}/admin/index.html`, 'admin');
  await write(shop, `${root}/admin/run.php`, '<?php echo "runs";');
  await write(shop, `${root}${CHALLENGE}`, 'challenge');
  await write(neighbour, 'domains/neighbour.example.com/public_html/secret.txt', 'of the neighbour');
  await write(neighbour, 'domains/neighbour.example.com/public_html/secret.php', '<?php echo "neighbour";');
  await waitUntil('the program', async () => (await status('app.example.com')) === 200, {
    timeoutMs: 90_000,
  });
}, 240_000);

afterAll(async () => {
  await server?.remove();
  await registry?.stop();
});

describe('a redirect of a whole site', () => {
  test('answers each path, method and name of the site', async () => {
    await set({ redirect: { url: 'https://example.org/new/?a=b,c', status: 301, keeps_path: false } });
    const moved = { status: 301, location: 'https://example.org/new/?a=b,c' };
    for (const path of ['/', '/file.txt', '/index.php?x=1', '/.env', '/admin/']) {
      expect(await ask(SHOP, { path })).toMatchObject(moved);
      expect(await ask(SHOP, { path, method: 'POST' })).toMatchObject(moved);
    }
    expect(await ask(`www.${SHOP}`)).toMatchObject(moved);
    expect(await status('app.example.com')).toBe(200);
  });

  test('keeps path and query if that setting is on', async () => {
    await set({ redirect: { url: 'https://example.org/new/', status: 302, keeps_path: true } });
    expect(await ask(SHOP, { path: '/a%20b/?c=d&e=%2F' })).toMatchObject({
      status: 302,
      location: 'https://example.org/new/a%20b/?c=d&e=%2F',
    });
    await set({ redirect: { url: 'http://example.org:8080/', status: 302, keeps_path: true } });
    expect((await ask(SHOP, { path: '//evil.example' })).location).toBe(
      'http://example.org:8080//evil.example',
    );
  });

  test('does not apply to ACME challenges of the agent or to a suspended site', async () => {
    await box.writeFile(`/var/lib/innkeeper/acme${CHALLENGE}`, 'of the agent');
    expect(await ask(SHOP, { path: CHALLENGE })).toMatchObject({ status: 200, body: 'of the agent' });
    await box.require(['rm', `/var/lib/innkeeper/acme${CHALLENGE}`]);
    await settle({ desired_state: 'suspended' });
    expect(await ask(SHOP)).toMatchObject({ status: 503, location: undefined });
    await settle({ desired_state: 'active' });
    expect(await status(SHOP)).toBe(302);
    await set({});
    expect(await status(SHOP)).toBe(200);
    expect(await targetOf(SHOP)).toBe('20001,php,shop,,,');
  });
});

describe('a password', () => {
  test('is asked for everywhere, of files, PHP and other names, except challenges', async () => {
    await set(locked());
    for (const name of [SHOP, `www.${SHOP}`])
      for (const path of ['/', '/file.txt', '/index.php', '/pretty/url', '/missing.png', '/admin/run.php']) {
        expect([path, await status(name, { path })]).toEqual([path, 401]);
        expect([path, await status(name, { path, auth: 'guest:wrong' })]).toEqual([path, 401]);
        expect([path, await status(name, { path, auth: `other:${PASSWORD}` })]).toEqual([path, 401]);
      }
    expect(await ask(SHOP, { path: '/file.txt', ...withPassword })).toMatchObject({
      status: 200,
      body: 'a file',
    });
    expect(await ask(SHOP, { path: '/pretty', ...withPassword })).toMatchObject({ body: 'php /pretty' });
    expect(await ask(SHOP, { path: CHALLENGE })).toMatchObject({ status: 200, body: 'challenge' });
    expect(await status('neighbour.example.com', { path: '/secret.txt' })).toBe(200);
  });

  test('is in a file that only root and nginx read, which is repaired', async () => {
    const folder = `${SITES}/${await targetOf(SHOP)}`;
    const file = `${folder}/password`;
    const access = () => box.require(['stat', '-c', '%a %U %G', folder, file]);
    const right = '710 root www-data\n640 root www-data\n';
    expect(await access()).toBe(right);
    for (const spec of [shop, neighbour])
      expect(await asAccount(box, spec, `cat ${file} 2>&1 || echo refused`)).toMatch(/denied[\s\S]*refused/);
    expect(await box.require(['sh', '-c', 'ps axww -o args'])).not.toContain('saltstring');
    expect(await box.require(['journalctl', '-u', 'innkeeper-agent', '-o', 'cat'])).not.toContain(
      'saltstring',
    );
    for (const tamper of [`rm ${file}`, `chmod 644 ${file}`, `echo guest:x > ${file}`, `rm -r ${folder}`]) {
      await box.require(['sh', '-ec', tamper]);
      await box.require(['systemctl', 'reload', 'innkeeper-agent']);
      await waitUntil(`repair after ${tamper}`, async () => {
        const { stdout } = await box.exec(['stat', '-c', '%a %U %G', folder, file]);
        return stdout === right && (await status(SHOP, { path: '/file.txt', ...withPassword })) === 200;
      });
      expect(await status(SHOP, { path: '/file.txt' })).toBe(401);
    }
  });

  test('is not asked for while the site is suspended, and is afterwards', async () => {
    await settle({ desired_state: 'suspended' });
    expect(await status(SHOP)).toBe(503);
    await settle({ desired_state: 'active' });
    expect(await status(SHOP)).toBe(401);
  });

  test('changes at once, and the old one is refused', async () => {
    const other = HASH.replace('saltstring', 'other');
    await set({ password: { folder: null, user: 'guest', hash: other } });
    expect(await status(SHOP, withPassword)).toBe(401);
    await set(locked());
    expect(await status(SHOP, withPassword)).toBe(200);
  });

  test('of a folder is asked for only there, in any notation of the path', async () => {
    await set(locked('admin'));
    for (const path of ['/', '/file.txt', '/administration', '/admin.html', '/x/admin/'])
      expect([path, (await status(SHOP, { path })) === 401]).toEqual([path, false]);
    for (const path of [
      ...['/admin', '/admin/', '/admin/run.php', '/admin/missing', '/%61dmin/', '/x/../admin/'],
      ...['//admin/', '/./admin/', '/ADMIN/', '/x/..%2fadmin/', '/index.php/admin', '/admin/?x'],
    ])
      expect([path, await status(SHOP, { path })]).toEqual([path, 401]);
    expect(await ask(SHOP, { path: '/admin/', ...withPassword })).toMatchObject({
      status: 200,
      body: 'admin',
    });
    expect(await ask(SHOP, { path: '/admin/run.php', ...withPassword })).toMatchObject({ body: 'runs' });
    await set({});
    expect(await status(SHOP, { path: '/admin/' })).toBe(200);
  });

  test('protects a program, except its challenges', async () => {
    await set(locked(), 2);
    expect(await status('app.example.com')).toBe(401);
    expect(await status('app.example.com', withPassword)).toBe(200);
    expect(await status('app.example.com', { path: CHALLENGE })).not.toBe(401);
    await set({}, 2);
    expect(await status('app.example.com')).toBe(200);
  });

  test('protects an app of static files', async () => {
    const apps = [...shop.apps, appOf({ app_id: 2, domain_id: 1 })];
    await write(shop, 'kept', '');
    await asAccount(box, shop, `cd /home/shop; mv ${root} kept-site`);
    await settle({ apps });
    await waitUntil('the app', async () => (await ask(SHOP)).body.includes('This app is ready.'));
    await set(locked());
    expect(await status(SHOP)).toBe(401);
    expect((await ask(SHOP, withPassword)).body).toContain('This app is ready.');
    await set({});
    await settle({
      apps: shop.apps.map((app) => (app.app_id === 2 ? { ...app, desired_state: 'absent' } : app)),
    });
    await settle({ apps: shop.apps.filter(({ app_id }) => app_id !== 2) });
    await asAccount(box, shop, `cd /home/shop; rm -rf ${root}; mv kept-site ${root}`);
    await waitUntil('PHP', async () => (await ask(SHOP, { path: '/x' })).body === 'php /x');
  });
});

describe('a document root', () => {
  test('is any folder of the home, for files and PHP', async () => {
    await write(shop, 'laravel/public/index.php', '<?php echo $_SERVER["DOCUMENT_ROOT"];');
    await write(shop, 'laravel/public/a.txt', 'of laravel');
    await set({ document_root: 'laravel/public' });
    expect(await ask(SHOP, { path: '/any' })).toMatchObject({
      status: 200,
      body: '/home/shop/laravel/public',
    });
    expect((await ask(`www.${SHOP}`, { path: '/a.txt' })).body).toBe('of laravel');
    expect(await status(SHOP, { path: '/file.txt' })).toBe(200);
    await set({ document_root: 'nowhere/yet' });
    expect(await status(SHOP, { path: '/a.txt' })).toBe(404);
    await set({ document_root: 'laravel', ...locked('public') });
    expect(await status(SHOP, { path: '/public/a.txt' })).toBe(401);
    expect((await ask(SHOP, { path: '/public/a.txt', ...withPassword })).body).toBe('of laravel');
  });

  test('that leaves the home is refused with field and rule', async () => {
    const [first, ...others] = shop.domains;
    const site = { ...plainSite, document_root: '../x' };
    const wrong = { ...shop, generation: shop.generation + 1, domains: [{ ...first!, site }, ...others] };
    const report = await server.settle(wrong);
    expect(report.outcome).toBe('failed');
    expect(report.conditions).toMatchObject([
      { type: 'spec', message: expect.stringMatching(/domains\.0\.site\.document_root/) },
    ]);
    shop = wrong;
    await set({});
  });
});

describe('links of a tenant to files of another account', () => {
  const theirs = '/home/neighbour/domains/neighbour.example.com/public_html';

  // The neighbour’s own site serves these files, so only the owner of the link decides.
  test('are refused: to a file, a folder, a script, and as document root', async () => {
    await asAccount(
      box,
      shop,
      `cd /home/shop; mkdir -p plain deep; echo mine > plain/file.txt
ln -sfn file.txt plain/own.txt; ln -sfn ${theirs}/secret.txt plain/link.txt; ln -sfn ${theirs} plain/folder
ln -sfn ${theirs}/secret.php plain/link.php; ln -sfn ${theirs} root; ln -sfn /home/neighbour deep/home`,
    );
    const answers = async (document_root: string, paths: readonly string[]) => {
      await set({ document_root });
      const found = await Promise.all(paths.map((path) => ask(SHOP, { path })));
      return found.map(({ status, body }) => [status, body.includes('neighbour')]);
    };
    await set({ document_root: 'plain' });
    expect((await ask(SHOP, { path: '/own.txt' })).body).toBe('mine\n');
    const links = ['/link.txt', '/folder/secret.txt', '/link.php', '/folder/secret.php'];
    for (const [status, isTheirs] of await answers('plain', links))
      expect([[403, 404].includes(Number(status)), isTheirs]).toEqual([true, false]);
    for (const root of ['root', 'deep/home/domains/neighbour.example.com/public_html'])
      for (const [status, isTheirs] of await answers(root, ['/secret.txt', '/secret.php', '/']))
        expect([[403, 404].includes(Number(status)), isTheirs]).toEqual([true, false]);
    await set({});
  });
});

describe('an alias', () => {
  test('shows the site of another domain, with its settings, and has no folder', async () => {
    const alias = domainOf(4, 'other-name.example.net', { is_primary: false, alias_of: 1 });
    await settle({ domains: [...shop.domains, alias] });
    for (const name of [alias.name, `www.${alias.name}`])
      expect((await ask(name, { path: '/file.txt' })).body).toBe('a file');
    expect((await ask(alias.name, { path: '/x' })).body).toBe('php /x');
    await box.require(['test', '!', '-e', `/home/shop/domains/${alias.name}`]);
    await set(locked());
    expect(await status(alias.name)).toBe(401);
    await set({ document_root: 'laravel/public' });
    expect((await ask(alias.name, { path: '/a.txt' })).body).toBe('of laravel');
    await set({});
    await settle({ domains: shop.domains.filter(({ domain_id }) => domain_id !== 4) });
    expect(await status(alias.name)).toBe(404);
  });
});

test('nginx has no warning about its configuration', async () => {
  const { stderr } = await box.exec(['nginx', '-t', '-q']);
  expect(stderr).toBe('');
});

test('none of these changes reloaded nginx or left an unused target', async () => {
  expect(await server.metric('innkeeper_agent_nginx_reloads_total')).toBe(0);
  await settle({});
  const targets = await box.require(['sh', '-c', `ls -d ${SITES}/20001,*`]);
  expect(targets.trim().split('\n').length).toBeLessThan(12);
});
