import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Box,
  type NpmRegistry,
  type Pebble,
  startNpmRegistry,
  startPebble,
  testInstallation,
  waitUntil,
} from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf, nodeApp, specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, install, startAgentBox } from './agent-box.ts';
import { appOf } from './deploys.ts';
import { type Load, type SiteAnswer, startLoad, visit } from './site.ts';
import { TlsVisitors } from './tls-visits.ts';

/**
 * Until 2026-11-23 nginx read lists of sites. `nginx-with-lists` has the configuration of the last release that did, and
 * this file writes the lists as its agent did. That agent itself is not here: it is stopped during the upgrade.
 */
let server: AgentBox;
let box: Box;
let registry: NpmRegistry;
let pebble: Pebble;

const FIXTURE = join(import.meta.dirname, 'nginx-with-lists');
const NGINX = '/etc/nginx';
const LIVE = `${NGINX}/innkeeper/live`;
const HEADER = '# Managed by Innkeeper: written by the agent, changes are undone.\n';
/** Files of the configuration that the earlier release did not have. */
const NEWER = ['pages.conf', 'proxy.conf', 'root.conf'].map((name) => `${NGINX}/innkeeper/${name}`);

const owner = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'owner',
  domains: ['php', 'static', 'proxy', 'stopped'].map((kind, at) =>
    domainOf(at + 1, `${kind}.example.com`, { is_primary: at === 0 }),
  ),
  apps: [
    appOf({ app_id: 2, domain_id: 2 }),
    nodeApp(3, { domain_id: 3 }),
    nodeApp(4, { domain_id: 4, desired_state: 'stopped' }),
  ],
});
/** The names of a site with a certificate. */
const SECURE = ['secure.example.com', 'www.secure.example.com'] as const;
const secure = specOf({
  account_id: 4,
  uid: 20_004,
  linux_user: 'secure',
  domains: [domainOf(7, SECURE[0], { certificate_revision: 1 })],
});
const suspended = specOf({
  account_id: 2,
  uid: 20_002,
  linux_user: 'away',
  domains: [domainOf(5, 'suspended.example.com')],
  desired_state: 'suspended',
});
const exceeded = specOf({
  account_id: 3,
  uid: 20_003,
  linux_user: 'heavy',
  domains: [domainOf(6, 'exceeded.example.com')],
  limits: { ...specOf({}).limits, bandwidth_mb: 1 },
});

type Wanted = (answer: SiteAnswer) => boolean;
const answers: Readonly<Record<string, Wanted>> = {
  'php.example.com': ({ status, body }) => status === 200 && body === 'php /path',
  'www.php.example.com': ({ status, body }) => status === 200 && body === 'php /path',
  'static.example.com': ({ status, body }) => status === 200 && body === 'a file',
  'proxy.example.com': ({ status }) => status === 200,
  'stopped.example.com': ({ status, body }) => status === 503 && /stopped/i.test(body),
  'exceeded.example.com': ({ status, body }) => status === 509 && body.includes('<html'),
  'suspended.example.com': ({ status, body }) => status === 503 && /suspended/i.test(body),
  'secure.example.com': ({ status }) => status === 301,
  'www.secure.example.com': ({ status }) => status === 301,
  'nobody.example.com': ({ status, body }) => status === 404 && body.includes('No site here'),
};

/** The value in the path that a name's link leads to. */
async function certificateOf(name: string): Promise<string> {
  const target = (await box.require(['readlink', `/etc/innkeeper/sites/${name}`])).trim();
  const certificate = target.split(',')[3] ?? '';
  expect(certificate, target).not.toBe('');
  return certificate;
}

/** What the earlier release's agent wrote for these sites. */
async function listsOfSites(): Promise<Record<string, string>> {
  const sites = [owner, suspended, exceeded, secure].flatMap((spec) =>
    spec.domains.map(({ name }) => ({ spec, name, kind: name.split('.')[0]! })),
  );
  const names = (kind: string) =>
    sites
      .filter((site) => site.kind === kind)
      .map(({ name }) => `server_name ${name} www.${name};\n`)
      .join('');
  const map = sites.map(({ spec, name, kind }) => {
    const socket = kind === 'proxy' ? '/run/innkeeper/apps/3.sock' : '';
    return `${name} ${spec.uid}:/home/${spec.linux_user}/domains/${name}/public_html:${socket};\n`;
  });
  const kinds = ['static', 'proxy', 'stopped', 'exceeded', 'suspended'];
  return {
    'sizes.conf':
      'server_names_hash_max_size 1024;\nserver_names_hash_bucket_size 128;\nmap_hash_max_size 1024;\nmap_hash_bucket_size 128;\n',
    'site.map': map.join(''),
    'certificate.map': `${SECURE[0]} ${(await Promise.all(SECURE.map(certificateOf))).join(':')};\n`,
    'www.map': '',
    'php.names': '',
    ...Object.fromEntries(kinds.map((kind) => [`${kind}.names`, names(kind)])),
  };
}

/** Makes the server what it was before nginx looked sites up in a folder. */
async function goBackToLists(): Promise<void> {
  await box.require(['systemctl', 'stop', 'innkeeper-agent']);
  const older: string[] = [];
  for (const name of await readdir(FIXTURE)) {
    const path = `${NGINX}/${name === 'innkeeper.conf' ? 'conf.d' : 'innkeeper'}/${name}`;
    await box.writeFile(path, await readFile(join(FIXTURE, name), 'utf8'));
    older.push(path);
  }
  await box.require(['mkdir', '-p', LIVE]);
  for (const [name, text] of Object.entries(await listsOfSites()))
    await box.writeFile(`${LIVE}/${name}`, HEADER + text);
  await box.require(['rm', '-r', '/etc/innkeeper/sites', ...NEWER]);
  // The installer removes the files of an earlier release by this list.
  const placed = '/var/lib/innkeeper/install/files';
  const kept = (await box.readFile(placed))
    .split('\n')
    .filter((path) => path !== '' && !NEWER.includes(path));
  await box.writeFile(placed, `${[...new Set([...kept, ...older])].sort().join('\n')}\n`);
  await box.require(['nginx', '-t', '-q']);
  await box.require(['systemctl', 'reload', 'nginx']);
}

beforeAll(async () => {
  const { state, boxes } = await testInstallation();
  registry = await startNpmRegistry(boxes.network.hostAddress);
  server = await startAgentBox('upgrade-from-lists');
  box = server.box;
  pebble = await startPebble(state, { network: boxes.network, lifetimeSeconds: 86_400 });
  for (const name of SECURE)
    for (const where of [pebble.names, pebble.ownNames]) await where.set(name, [box.address]);
  await box.writeFile('/etc/resolv.conf', `nameserver ${pebble.address}\n`);
  await box.writeFile('/etc/innkeeper/acme-ca.pem', pebble.caPem);
  await server.configure({
    INNKEEPER_NPM_REGISTRY: registry.url,
    INNKEEPER_ACME_DIRECTORY: pebble.directoryUrl,
    INNKEEPER_ACME_CA_FILE: '/etc/innkeeper/acme-ca.pem',
  });
  for (const spec of [owner, suspended, exceeded, secure])
    expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
  const put = (path: string, text: string) =>
    asAccount(box, owner, `umask 022; cat > /home/owner/domains/${path}`, text);
  await put('php.example.com/public_html/index.php', '<?php echo "php ", $_SERVER["REQUEST_URI"];');
  const isUp = (name: string, path = '/path') =>
    waitUntil(name, async () => answers[name]!(await visit(box.address, name, path)), { timeoutMs: 90_000 });
  await isUp('php.example.com');
  const large = 'domains/exceeded.example.com/public_html/large';
  await asAccount(box, exceeded, `umask 022; head -c 2000000 /dev/zero > /home/heavy/${large}`);
  await visit(box.address, 'exceeded.example.com', '/large');
  await isUp('exceeded.example.com');
  await isUp('proxy.example.com', '/');
  await waitUntil('the static app', async () =>
    (await visit(box.address, 'static.example.com')).body.includes('This app is ready.'),
  );
  await put('static.example.com/public_html/path', 'a file');
  for (const name of SECURE) await isUp(name);
  await goBackToLists();
  for (const name of Object.keys(answers)) await isUp(name);
}, 300_000);

afterAll(async () => {
  await pebble?.stop();
  await server?.remove();
  await registry?.stop();
});

test('an upgrade from lists of sites to a folder fails no request for any kind of site', {
  timeout: 180_000,
}, async () => {
  const kind = ['curl', '-s', '-H', 'Host: php.example.com', 'http://127.0.0.80/.innkeeper-kind'];
  expect(await box.require(kind)).toBe('php known');
  await box.require(['sh', '-c', 'echo "// a newer build" >> /root/innkeeper-agent/innkeeper-agent.mjs']);
  const loads = Object.entries(answers).map(([name, wanted]): [string, Load] => [
    name,
    startLoad(box.address, name, '/path', wanted),
  ]);
  const visitors = SECURE.map((name) => new TlsVisitors(box.address, name, pebble.rootPem));
  const result = await install(box, []);
  await box.require(['innkeeper-agent', 'status', '--wait', '30']);
  // The agent has looked at each account again, and found its sites.
  expect(await server.settle({ ...owner, generation: 2 })).toMatchObject({ outcome: 'applied' });
  const counts: string[] = [];
  for (const [name, load] of loads) {
    const { answered, wrong } = await load.end();
    counts.push(`${name} ${answered}`);
    expect([name, wrong]).toEqual([name, []]);
    expect(answered, name).toBeGreaterThan(20);
  }
  for (const [at, name] of SECURE.entries()) {
    const { seen, wrong } = visitors[at]!;
    await visitors[at]!.end();
    counts.push(`https://${name} ${[...seen.values()].join('+')}`);
    expect([name, wrong]).toEqual([name, []]);
    // The same certificate before and after.
    expect([...seen.values()], name).toEqual([expect.any(Number)]);
    expect([...seen.values()][0], name).toBeGreaterThan(20);
  }
  console.log(`answers during the upgrade: ${counts.join(', ')}`);
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
  expect(result.stdout).toContain('7 sites converted to links');
  expect(await box.require(kind)).toBe('php 20001');
  const configuration = await box.require(['nginx', '-T', '-q']);
  expect(configuration).not.toContain('innkeeper/live');
  await box.require(['test', '!', '-e', `${NGINX}/innkeeper/listen.conf`]);
});
