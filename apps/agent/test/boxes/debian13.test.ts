import type { AccountSpec } from '@innkeeper/protocol';
import { makeZip } from '@innkeeper/testkit';
import {
  type Box,
  type CronClock,
  type NpmRegistry,
  startCronClock,
  startNpmRegistry,
  testInstallation,
  waitUntil,
} from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf, nodeApp, specOf } from '../specs.ts';
import { type Customers, customersOf } from './account-session.ts';
import { type AgentBox, install, startAgentBox } from './agent-box.ts';
import { contractOnServer } from './contract-on-server.ts';
import { Deploys } from './deploys.ts';
import { ftpClientsOf } from './ftp-clients.ts';
import { findRemains } from './remains.ts';
import { differences, serverState } from './server-state.ts';
import { visit } from './site.ts';

/**
 * The life of an account on Debian 13, whose systemd, PHP, MariaDB and nginx are newer than those of the other box tests.
 * The cases build on each other. `./scripts/test --all` runs the driver contract there too.
 */
const NAME = 'new.example.com';
const APP = 'app.new.example.com';
const PASSWORD = 'Unguessable9'.repeat(2);
const FTP_PASSWORD = 'a right password 1';
const FTP_HASH =
  '$6$saltsalt$Pe0NELuV8WPmo0/l41XU/yqaIUXGRyZRVQi8eGi.MlvIh/BY.v9EX1nB6AAjjWMKLgdR95pt1bqcrZQNkQQws1';
const spec: AccountSpec = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'newer',
  terminal_access: true,
  limits: { ...specOf({}).limits, ram_mb: 256, cpu_percent: 50, max_processes: 60 },
  domains: [domainOf(1, NAME), domainOf(2, APP, { is_primary: false })],
  databases: [
    {
      database_id: 1,
      db_name: 'newer_shop',
      password: PASSWORD,
      password_revision: 1,
      allowed_ips: [],
      desired_state: 'active',
    },
  ],
  cron_jobs: [
    { cron_job_id: 1, schedule: '* * * * *', command: 'cat /proc/self/cgroup > cron.txt', enabled: true },
  ],
  ftp_logins: [{ name: 'newer_web', folder: 'team', password_hash: FTP_HASH, public_keys: [] }],
  apps: [nodeApp(1, { domain_id: 2 })],
});

let server: AgentBox;
let box: Box;
let before: string[];
let cron: CronClock;
let registry: NpmRegistry;
let customers: Customers;
let deploys: Deploys;

beforeAll(async () => {
  server = await startAgentBox('debian13', 'debian13', async (bare) => {
    before = await serverState(bare);
  });
  box = server.box;
  cron = await startCronClock(box);
  customers = await customersOf(box);
  const { boxes } = await testInstallation();
  registry = await startNpmRegistry(boxes.network.hostAddress);
  await server.configure({ INNKEEPER_NPM_REGISTRY: registry.url });
  deploys = new Deploys(server, spec);
}, 600_000);

afterAll(async () => {
  await customers?.end();
  await registry?.stop();
  await server?.remove();
});

const slice = (property: string) =>
  box.require(['systemctl', 'show', '-P', property, `user-${spec.uid}.slice`]);

test('the agent reports the PHP version of the server, whatever it is', async () => {
  await waitUntil('the agent to be ready', async () => (await server.status()).ready);
  const [program] = (await box.require(['ls', '/usr/sbin'])).match(/^php-fpm\d.*$/m)!;
  expect(server.controlPlane.hello?.php_version).toBe(program!.replace('php-fpm', ''));
});

test('an account gets a PHP site with a database, and its first page', async () => {
  expect(await server.settle(spec)).toMatchObject({
    outcome: 'applied',
    databases: [{ database_id: '1', status: 'active', reason: '' }],
  });
  expect((await visit(box.address, NAME)).status).toBe(200);
  await customers.write(
    spec,
    `domains/${NAME}/public_html/db.php`,
    `<?php $db = new mysqli('localhost', 'newer_shop', '${PASSWORD}', 'newer_shop');
     $db->query('create table t (n int)'); $db->query('insert into t values (7)');
     echo $db->query('select sum(n) from t')->fetch_row()[0], ' ', posix_getuid(), ' ', PHP_MAJOR_VERSION;`,
  );
  expect((await visit(box.address, NAME, '/db.php')).body).toBe('7 20001 8');
});

test('its Node.js app is deployed and answers', async () => {
  const source =
    'require("node:http").createServer((q, r) => r.end("node " + process.getuid())).listen(process.env.PORT);';
  deploys.deploy(1, makeZip([{ name: 'server.js', data: source }]));
  await deploys.settled(1, 'running', 90_000);
  expect((await visit(box.address, APP)).body).toBe('node 20001');
});

test('its cron job and its SSH session run in its slice', async () => {
  await customers.authorize(spec);
  const session = await customers.ssh(spec, 'cat /proc/self/cgroup; id -u');
  expect(session.stdout).toContain(`user-${spec.uid}.slice`);
  expect(session.stdout).toContain(String(spec.uid));
  await cron.passMinute();
  const job = async () => (await box.exec(['cat', '/home/newer/cron.txt'])).stdout;
  await waitUntil('the cron job', async () => (await job()) !== '', { timeoutMs: 100_000, everyMs: 500 });
  expect(await job()).toContain(`user-${spec.uid}.slice`);
});

test('its FTP login transfers files over FTP and SFTP, and sees its folder alone', async () => {
  const clients = await ftpClientsOf(box.address);
  const upload = ['--upload-file', `${clients.folder}/key.pub`];
  expect(await clients.ftps('newer_web', FTP_PASSWORD, 'one', upload)).toMatchObject({ exitCode: 0 });
  expect((await clients.ftps('newer_web', FTP_PASSWORD, '%2F')).stdout.trim()).toMatch(/ files$/);
  const { stdout } = await clients.sftp('newer_web', 'ls -1\nls -1 /\nbye', { password: FTP_PASSWORD });
  expect(stdout).toMatch(/one\s(?:.|\n)*files/);
  expect(stdout).not.toContain('domains');
  const plain = await clients.ftps('newer_web', FTP_PASSWORD, '', ['--no-sessionid']);
  expect(plain.exitCode).not.toBe(0);
  await clients.end();
});

test('its limits hold: processes, memory and CPU', async () => {
  expect(await slice('TasksMax')).toBe('60\n');
  expect(await slice('MemoryMax')).toBe(`${256 * 1_048_576}\n`);
  expect(await slice('CPUQuotaPerSecUSec')).toBe('500ms\n');
  const forks = await customers.ssh(spec, 'for i in $(seq 100); do sleep 5 & done; wait', 30_000);
  expect(forks.stderr).toMatch(/fork|resource/i);
  const memory = await customers.ssh(spec, `perl -e '$x = "x" x 400_000_000; print length $x'`, 30_000);
  expect(memory.stdout).not.toContain('400000000');
  await customers.write(
    spec,
    `domains/${NAME}/public_html/cpu.php`,
    `<?php $end = microtime(true) + 3; $a = getrusage(); while (microtime(true) < $end); $b = getrusage();
     $s = fn($r) => $r['ru_utime.tv_sec'] + $r['ru_utime.tv_usec'] / 1e6 + $r['ru_stime.tv_sec'] + $r['ru_stime.tv_usec'] / 1e6;
     echo round(($s($b) - $s($a)) / 3 * 100);`,
  );
  const percent = Number((await visit(box.address, NAME, '/cpu.php')).body);
  expect(percent).toBeGreaterThan(0);
  expect(percent).toBeLessThan(60);
});

test('what somebody changes by hand is repaired', async () => {
  await box.require(['rm', `/etc/innkeeper/sites/${NAME}`]);
  await box.require(['systemctl', 'set-property', `user-${spec.uid}.slice`, 'TasksMax=9999']);
  await box.require(['mariadb', '-e', 'drop user newer_shop@localhost']);
  await box.require(['systemctl', 'reload', 'innkeeper-agent']);
  await waitUntil(
    'the repair',
    async () => (await visit(box.address, NAME)).status === 200 && (await slice('TasksMax')) === '60\n',
    { timeoutMs: 60_000 },
  );
  const login = ['mariadb', '--no-defaults', '-u', 'newer_shop', `-p${PASSWORD}`, '-BNe', 'select 1'];
  await waitUntil('the database user', async () => (await box.exec(login)).exitCode === 0);
});

test('a suspended account answers 503 and has no process', async () => {
  deploys.want({ desired_state: 'suspended' });
  await waitUntil(
    'the suspension',
    () => server.controlPlane.reportOf(1, deploys.spec.generation)?.outcome === 'applied',
    { timeoutMs: 60_000 },
  );
  expect((await visit(box.address, NAME)).status).toBe(503);
  expect((await visit(box.address, APP)).status).toBe(503);
  expect((await box.exec(['pgrep', '--uid', String(spec.uid)])).stdout).toBe('');
});

test('a removed account leaves nothing', async () => {
  deploys.want({ desired_state: 'absent' });
  await waitUntil(
    'the removal',
    () => server.controlPlane.reportOf(1, deploys.spec.generation)?.outcome === 'absent',
    { timeoutMs: 60_000 },
  );
  expect(await findRemains(box, spec, [NAME, APP])).toEqual([]);
});

/** Of the test: a fast clock for cron, and settings of the agent's unit. */
const OF_THE_TEST = /faketime|cron-clock|cron\.service\.d|innkeeper-agent\.service\.d/;

test.skipIf(process.env.INNKEEPER_TEST_ALL === 'true')(
  '--uninstall gives the server back as it was',
  async () => {
    await waitUntil('the empty ledger', async () => {
      const ledger = await box.require(['ls', '/var/lib/innkeeper/agent/ledger']);
      return !ledger.includes('.json');
    });
    const result = await install(box, ['--uninstall']);
    expect(result, result.stdout + result.stderr).toMatchObject({ exitCode: 0 });
    const left = differences(before, await serverState(box)).filter((line) => !OF_THE_TEST.test(line));
    expect(left).toEqual([]);
  },
);

if (process.env.INNKEEPER_TEST_ALL === 'true')
  contractOnServer('the driver contract on Debian 13', () => box);
