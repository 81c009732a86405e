import { createDecipheriv } from 'node:crypto';
import {
  type HostingServer,
  type Installation,
  makeZip,
  type NpmRegistry,
  type Pebble,
  requireInnctl,
  runProgram,
  startCronClock,
  startNpmRegistry,
  startPebble,
  waitUntil,
} from '@innkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTraces } from './find-traces.ts';
import { expireUsage } from './fresh-usage.ts';
import { useInstallation } from './installation.ts';
import { type AccountBody, createRestClient, type RestClient } from './rest-client.ts';
import { visit } from './site.ts';

/**
 * Everything that an account can have, on one hosting server, only through the API: a certificate, WordPress, a Node.js
 * app from an archive and one from Git, a database that all of them use, a cron job, an IP address with remote access.
 * Then the account is suspended, unsuspended, moved to another package, and removed. The cases depend on each other.
 */
const username = 'everything';
const blog = 'blog.example.com';
const shop = 'shop.example.com';
const git = 'git.example.com';
const gitServer = 'repositories.example.com';

interface AppBody {
  data: { id: number; status: string; last_error: string | null; release: { id: number } | null };
}
interface DomainBody {
  data: { id: number; ssl: { status: string; error: string | null } };
}
interface DatabaseBody {
  data: { id: number; db_name: string; status: string };
}

let installation: Installation;
let server: HostingServer;
let api: RestClient;
let registry: NpmRegistry;
let pebble: Pebble;
/** The server's state before this file: tests of other files continue with it. */
const before = new Map<string, string>();
let accountId = 0;
let uid = 0;
const domains: Record<string, number> = {};

const inBox = (...argv: string[]) => server.box.require(argv);
const visitBlog = (path: string) => visit(server.address, blog, path, pebble.rootPem);
const asAccount = (script: string) =>
  inBox(
    ...[
      'setpriv',
      '--reuid',
      `${uid}`,
      '--regid',
      `${uid}`,
      '--clear-groups',
      'env',
      `HOME=/home/${username}`,
      'sh',
      '-ec',
      script,
    ],
  );

async function restartAgent(): Promise<void> {
  await inBox('systemctl', 'restart', 'innkeeper-agent');
  await inBox('innkeeper-agent', 'status', '--wait', '60');
}

async function packageId(name: string): Promise<number> {
  return installation.packages.find((record) => record.name === name)!.id;
}

async function appIs(id: number, status: string): Promise<AppBody['data']> {
  let last: AppBody['data'] | undefined;
  try {
    return await waitUntil(
      `app ${id} to be ${status}`,
      async () => {
        last = (await api.get<AppBody>(`/apps/${id}`)).body.data;
        return last.status === status && last;
      },
      { timeoutMs: 90_000, everyMs: 250 },
    );
  } catch (error) {
    throw new Error(`${(error as Error).message}: ${JSON.stringify(last)}`, { cause: error });
  }
}

async function install(body: Record<string, unknown>): Promise<number> {
  const installed = await api.post<AppBody>('/apps', { hosting_account_id: accountId, ...body });
  expect(installed).toMatchObject({ status: 201, body: { data: { status: 'installing' } } });
  return installed.body.data.id;
}

async function deployZip(id: number, files: Record<string, string>): Promise<void> {
  const archive = makeZip(Object.entries(files).map(([name, data]) => ({ name, data })));
  const form = new FormData();
  form.set('archive', new Blob([new Uint8Array(archive)]), 'app.zip');
  const response = await fetch(`${installation.baseUrl}/apps/${id}/deploy-zip`, {
    method: 'POST',
    headers: { authorization: `Bearer ${installation.token}` },
    body: form,
  });
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { data: { archive_bytes: archive.length } },
  ]);
}

/** A program that answers with the content of its database. It has a build step, and uses a package of the registry. */
const nodeShop = {
  'package.json': JSON.stringify({
    name: 'shop',
    scripts: { build: 'node build.js', start: 'node server.js' },
    dependencies: { express: '^5', mysql2: '^3' },
  }),
  'build.js': "require('fs').writeFileSync('built.json', JSON.stringify({ builtBy: process.getuid() }));",
  'server.js': `
    const { builtBy } = require('./built.json');
    const mysql = require('mysql2/promise');
    const app = require('express')();
    app.get('/', async (request, response) => {
      const database = await mysql.createConnection({
        socketPath: '/run/mysqld/mysqld.sock', user: process.env.DB_NAME, password: process.env.DB_PASSWORD,
        database: process.env.DB_NAME });
      const [rows] = await database.query('select word from words order by id');
      await database.end();
      response.json({ uid: process.getuid(), builtBy, words: rows.map(({ word }) => word) });
    });
    app.listen(process.env.PORT, () => console.log('the shop is open'));`,
};

beforeAll(async () => {
  installation = await useInstallation();
  server = await installation.addHostingServer('web1');
  api = createRestClient(installation.baseUrl, installation.token);
  const { hostAddress } = installation.boxes.network;
  registry = await startNpmRegistry(hostAddress);
  pebble = await startPebble(installation.state, {
    network: installation.boxes.network,
    lifetimeSeconds: 86_400,
  });
  for (const names of [pebble.names, pebble.ownNames])
    for (const name of [blog, `www.${blog}`, gitServer]) await names.set(name, [server.address]);
  for (const file of ['/etc/resolv.conf', '/etc/innkeeper/agent.conf'])
    before.set(file, await server.box.readFile(file));
  await server.box.writeFile('/etc/resolv.conf', `nameserver ${pebble.address}\n`);
  await server.box.writeFile('/etc/innkeeper/acme-ca.pem', pebble.caPem);
  const settings = [
    `INNKEEPER_NPM_REGISTRY=${registry.url}`,
    `INNKEEPER_GIT_ALLOWED_NETWORKS=${server.address}`,
    'INNKEEPER_WORDPRESS_SOURCE=/usr/share/wordpress',
    `INNKEEPER_ACME_DIRECTORY=${pebble.directoryUrl}`,
    'INNKEEPER_ACME_CA_FILE=/etc/innkeeper/acme-ca.pem',
  ];
  await inBox('sh', '-c', `printf '%s\\n' ${settings.join(' ')} >>/etc/innkeeper/agent.conf`);
  await restartAgent();
}, 120_000);

afterAll(async () => {
  for (const [file, text] of before) await server.box.writeFile(file, text);
  if (before.size > 0) await restartAgent();
  await registry?.stop();
  await pebble?.stop();
});

/** Returns the secrets of a ledger entry. Only root on the server can decrypt them. */
function openSealed(account: number, sealed: string, key: string): string[] {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(`innkeeper ledger ${account}`)).setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(`${decipher.update(bytes.subarray(28), undefined, 'utf8')}${decipher.final('utf8')}`);
}

describe('an account that uses every feature', () => {
  let databaseId = 0;
  let databaseName = '';
  let databasePassword = '';
  let nodeApp = 0;
  let gitApp = 0;

  it('is created, and serves three sites', async () => {
    const created = await api.post<AccountBody>('/accounts', {
      username,
      name: 'Everything',
      email: 'everything@example.com',
      password: 'correct horse battery',
      package_id: await packageId('Professional'),
    });
    expect(created).toMatchObject({ status: 201, body: { data: { synced: true } } });
    accountId = created.body.data.id;
    uid = Number((await inBox('getent', 'passwd', username)).split(':')[2]);
    for (const name of [blog, shop, git]) {
      const added = await api.post<DomainBody>('/domains', {
        hosting_account_id: accountId,
        domain_name: name,
      });
      expect(added.status).toBe(201);
      domains[name] = added.body.data.id;
    }
    expect((await visit(server.address, shop)).status).toBe(200);
  });

  it('gets a certificate, and HTTP redirects to HTTPS', async () => {
    const asked = await api.post(`/domains/${domains[blog]}/ssl`, { email: 'everything@example.com' });
    expect(asked).toMatchObject({ status: 200, body: { data: { ssl: { status: 'pending' } } } });
    await waitUntil(
      'the certificate to be active',
      async () => {
        const { body } = await api.get<DomainBody>(`/domains/${domains[blog]}`);
        if (body.data.ssl.status === 'failed') throw new Error(body.data.ssl.error ?? 'no reason');
        return body.data.ssl.status === 'active';
      },
      { timeoutMs: 60_000, everyMs: 250 },
    );
    expect((await visitBlog('/')).status).toBe(200);
    expect((await visit(server.address, blog)).status).toBe(301);
  });

  it('installs WordPress, and its home page answers', async () => {
    const id = await install({ template_key: 'wordpress', name: 'Blog', domain_id: domains[blog] });
    await appIs(id, 'running');
    const page = await visitBlog('/');
    expect(page.status).toBe(200);
    expect(page.body).toContain('WordPress');
    expect(page.body).not.toContain('install.php');
  });

  it('creates a database', async () => {
    const made = await api.post<DatabaseBody>('/databases', { hosting_account_id: accountId, name: 'words' });
    expect(made.status).toBe(201);
    ({ id: databaseId, db_name: databaseName } = made.body.data);
    await waitUntil(
      'the database to be active',
      async () => (await api.get<DatabaseBody>(`/databases/${databaseId}`)).body.data.status === 'active',
    );
    // The panel shows the password only to its owner. The server has it sealed in its ledger.
    const entry = JSON.parse(await inBox('cat', `/var/lib/innkeeper/agent/ledger/${accountId}.json`));
    const databases: { db_name: string; password: string }[] = entry.spec.databases;
    expect(databases.map(({ password }) => password).join('')).toBe('');
    const secrets = openSealed(accountId, entry.sealed, await inBox('cat', '/etc/innkeeper/ledger.key'));
    // The first secret is the hash of the account's own password.
    databasePassword = secrets[1 + databases.findIndex(({ db_name }) => db_name === databaseName)]!;
    await asAccount(
      `mariadb -u ${databaseName} -p${databasePassword} ${databaseName} -e "
       create table words (id int auto_increment primary key, word varchar(20)); insert into words (word) values ('shell')"`,
    );
  });

  it('deploys a Node.js app from an archive, and builds it with packages of the registry', async () => {
    nodeApp = await install({
      template_key: 'nodejs',
      name: 'Shop',
      domain_id: domains[shop],
      env: { DB_NAME: databaseName, DB_PASSWORD: databasePassword },
    });
    await appIs(nodeApp, 'running');
    await deployZip(nodeApp, nodeShop);
    await appIs(nodeApp, 'running');
    expect(JSON.parse((await visit(server.address, shop)).body)).toEqual({
      uid,
      builtBy: uid,
      words: ['shell'],
    });
  });

  it('shows an operator the output of the program', async () => {
    const log = await requireInnctl(installation.innctl, ['app', 'log', `${username}/Shop`, '--lines', '1']);
    expect(log).toBe('the shop is open\n');
    const silent = await installation.innctl(['app', 'log', `${username}/Blog`]);
    expect(silent).toMatchObject({ exitCode: 1, stdout: '' });
    expect(silent.stderr).toMatch(/runs no program of its own: it has no log\.$/m);
  });

  it('uses the same database from PHP', async () => {
    const php = `<?php $db = new mysqli('localhost', '${databaseName}', '${databasePassword}', '${databaseName}');
      $db->query("insert into words (word) values ('php')"); echo 'written';`;
    await asAccount(`cat > ~/domains/${blog}/public_html/write.php <<'PHP'\n${php}\nPHP`);
    expect((await visitBlog('/write.php')).body).toBe('written');
    expect(JSON.parse((await visit(server.address, shop)).body).words).toEqual(['shell', 'php']);
  });

  it('writes into the same database from a cron job', async () => {
    await asAccount(
      `printf '%s\\n' "insert into words (word) values ('cron')" > ~/write.sql;
       printf '[client]\\nuser=%s\\npassword=%s\\n' ${databaseName} ${databasePassword} > ~/.my.cnf; chmod 600 ~/.my.cnf`,
    );
    const job = await api.post('/cron-jobs', {
      hosting_account_id: accountId,
      name: 'Write',
      schedule: '* * * * *',
      command: `mariadb ${databaseName} < write.sql`,
    });
    expect(job.status).toBe(201);
    await (await startCronClock(server.box)).passMinute();
    await waitUntil(
      'the job to have run',
      async () => JSON.parse((await visit(server.address, shop)).body).words.includes('cron'),
      { timeoutMs: 100_000, everyMs: 1_000 },
    );
  });

  it('deploys a second app from Git', async () => {
    await inBox(
      'sh',
      '-ec',
      `git init -q -b main /srv/app && cd /srv/app && git config user.email a@b.c && git config user.name a
       echo 'require("http").createServer((q, r) => r.end("from git")).listen(process.env.PORT)' > server.js
       echo '{"name":"x","scripts":{"start":"node server.js"}}' > package.json
       git add . && git commit -qm one && git clone -q --bare /srv/app /srv/app.git && chmod -R a+rX /srv/app.git
       ssh-keygen -q -t ed25519 -N '' -f /root/deploy-key && useradd --system --create-home --shell /usr/bin/git-shell git
       mkdir -p ~git/.ssh && cp /root/deploy-key.pub ~git/.ssh/authorized_keys && chown -R git: ~git /srv/app.git`,
    );
    gitApp = await install({
      template_key: 'nodejs',
      name: 'Git',
      domain_id: domains[git],
      git: {
        repository: `git@${gitServer}:/srv/app.git`,
        branch: 'main',
        deploy_key: await inBox('cat', '/root/deploy-key'),
      },
    });
    await appIs(gitApp, 'running');
    expect(await api.post(`/apps/${gitApp}/deploy-git`)).toMatchObject({ status: 200 });
    await waitUntil(
      'the program from Git to answer',
      async () => (await visit(server.address, git)).body === 'from git',
      { timeoutMs: 60_000, everyMs: 250 },
    );
  });

  it('accepts database connections from an allowed address, and shows its usage', async () => {
    const { hostAddress } = installation.boxes.network;
    const allowed = await api.post(`/databases/${databaseId}/allowed-ips`, { ip: hostAddress });
    expect(allowed.status).toBe(200);
    const asked = await runProgram([
      ...[
        'mariadb',
        '--no-defaults',
        '--ssl',
        '-N',
        '-h',
        server.address,
        '-u',
        databaseName,
        `-p${databasePassword}`,
      ],
      ...[databaseName, '-e', 'select word from words order by id limit 2'],
    ]);
    expect(asked).toMatchObject({ exitCode: 0, stdout: 'shell\nphp\n' });
    const usage = await waitUntil(
      'figures of what it uses',
      async () => {
        await expireUsage(installation);
        const { body } = await api.get<{ data: Record<string, number> }>(`/accounts/${accountId}/usage`);
        return (body.data.disk_used_mb ?? 0) > 10 && body.data;
      },
      { timeoutMs: 120_000, everyMs: 1_000 },
    );
    expect(usage.disk_used_mb).toBeGreaterThan(50);
  });

  it('is suspended: every site answers 503, and it has no process', async () => {
    const suspended = await api.patch<AccountBody>(`/accounts/${accountId}/suspend`);
    expect(suspended).toMatchObject({ status: 200, body: { data: { status: 'suspended', synced: true } } });
    expect(suspended.ms).toBeLessThan(5_000);
    expect(await server.box.exec(['pgrep', '--uid', `${uid}`])).toMatchObject({ exitCode: 1, stdout: '' });
    for (const name of [blog, shop, git]) expect((await visit(server.address, name)).status).toBe(503);
  });

  it('is unchanged after it is unsuspended', async () => {
    const back = await api.patch<AccountBody>(`/accounts/${accountId}/unsuspend`);
    expect(back).toMatchObject({ status: 200, body: { data: { status: 'active', synced: true } } });
    await appIs(nodeApp, 'running');
    await appIs(gitApp, 'running');
    expect(JSON.parse((await visit(server.address, shop)).body).words).toContain('php');
    expect((await visit(server.address, git)).body).toBe('from git');
    expect((await visitBlog('/')).status).toBe(200);
  });

  it('gets another package, and leaves nothing on the server when it is terminated', async () => {
    const moved = await api.patch<AccountBody>(`/accounts/${accountId}/package`, {
      package_id: await packageId('Business'),
    });
    expect(moved).toMatchObject({ status: 200, body: { data: { synced: true, ram_limit_mb: 1_024 } } });
    expect(await inBox('systemctl', 'show', `user-${uid}.slice`, '-P', 'MemoryMax')).toBe(
      `${1_024 * 1_048_576}\n`,
    );
    expect((await visit(server.address, git)).body).toBe('from git');

    expect(await api.delete(`/accounts/${accountId}`)).toMatchObject({ status: 200 });
    await waitUntil(
      'the account to be gone',
      async () => (await api.get(`/accounts/${accountId}`)).status === 404,
      { timeoutMs: 60_000 },
    );
    expect(await findTraces(server.box, username, uid)).toBe('');
  });
});
