import type { Box } from '@innkeeper/testkit/machine';
import { testInstallation } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ControlPlaneServer } from '../control-plane-server.ts';
import { firstInstallation, install, startBareBox } from './agent-box.ts';
import { differences, serverState } from './server-state.ts';

/** The installer as an operator runs it, from an empty server to an empty server. The cases build on each other. */
let box: Box;
let controlPlane: ControlPlaneServer;
let before: string[];

/** A site, a database, a PHP pool and settings of the operator's, which an installation must not touch. */
const OWN_SITE = `server {
  listen 80;
  server_name own.example.org;
  root /var/www/own;
  location / { return 200 'own site'; }
  location ~ \\.php$ { include snippets/fastcgi-php.conf; fastcgi_pass unix:/run/php/php-fpm.sock; }
}
`;
const OWN_PHP =
  '<?php session_start(); $_SESSION["n"] = 1; session_write_close(); echo session_status(), " own php";';

/** For 10 s the starting server loses SIGTERM, as mariadbd does in the first 0.2 s. */
const SLOW_START = '/etc/systemd/system/mariadb.service.d/slow-start.conf';
const STARTS_SLOWLY = `[Service]
ExecStart=
ExecStart=/bin/sh -c "trap : TERM; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done; exec /usr/sbin/mariadbd"
`;

const said = (result: { stdout: string; stderr: string }) => result.stdout + result.stderr;

beforeAll(async () => {
  ({ box, controlPlane } = await startBareBox('install'));
  await ownThings();
  before = await serverState(box);
});

afterAll(async () => {
  controlPlane.stop();
  await (await testInstallation()).boxes.remove('install');
});

async function ownThings(): Promise<void> {
  await box.writeFile('/etc/nginx/sites-available/own', OWN_SITE);
  await box.writeFile('/var/www/own/index.php', OWN_PHP);
  await box.require(['ln', '-s', '../sites-available/own', '/etc/nginx/sites-enabled/own']);
  await box.require(['systemctl', 'reload', 'nginx']);
  await box.require(['sysctl', '-w', 'net.ipv4.ip_unprivileged_port_start=80']);
  await box.require([
    'mariadb',
    '-e',
    "create database own_shop; create table own_shop.t (word text); insert into own_shop.t values ('kept')",
  ]);
}

async function expectOwnThings(): Promise<void> {
  const get = (path: string) =>
    box.require(['curl', '-s', '-H', 'Host: own.example.org', `http://127.0.0.1${path}`]);
  expect(await get('/')).toBe('own site');
  expect(await get('/index.php')).toBe('1 own php');
  expect(await box.require(['mariadb', '-BNe', 'select word from own_shop.t'])).toBe('kept\n');
}

describe('the installer', () => {
  test('the operator’s own site, its PHP and its database work before', expectOwnThings);

  test('refuses unknown arguments before any change', async () => {
    expect(await install(box, ['--contrl', 'x'])).toMatchObject({ exitCode: 2 });
    expect(await install(box, ['--control'])).toMatchObject({ exitCode: 2 });
    expect(differences(before, await serverState(box))).toEqual([]);
  });

  test('names the step, the reason and the next step when it fails', async () => {
    await box.writeFile('/etc/mysql/mariadb.conf.d/99-wrong.cnf', '[mysqld]\nno-such-setting = 1\n');
    const result = await install(box, await firstInstallation(box, controlPlane));
    expect(result.exitCode).toBe(1);
    expect(said(result)).toContain('The step "Database server" failed: mariadb does not start.');
    expect(said(result)).toContain('Run the installer again to continue with this step.');
    await box.require(['rm', '/etc/mysql/mariadb.conf.d/99-wrong.cnf']);
  });

  test('continues after a failure, waits for a database server that is starting, and installs a ready agent', async () => {
    await box.writeFile(SLOW_START, STARTS_SLOWLY);
    await box.require(['systemctl', 'daemon-reload']);
    await box.require(['systemctl', 'start', '--no-block', 'mariadb']);
    const result = await install(box, await firstInstallation(box, controlPlane));
    await box.require(['rm', SLOW_START]);
    await box.require(['systemctl', 'daemon-reload']);
    expect(said(result)).toContain('enrolled as test (node 1)');
    expect(result).toMatchObject({ exitCode: 0 });
    expect(await box.exec(['innkeeper-agent', 'status'])).toMatchObject({ exitCode: 0 });
    expect(await box.require(['systemctl', 'is-enabled', 'innkeeper-agent'])).toBe('enabled\n');
  });

  test('leaves the operator’s own site, its PHP and its database as they were', expectOwnThings);

  test('a user that the operator adds gets no uid of an account, and useradd prints no warning', async () => {
    const made = await box.exec(['useradd', '--no-create-home', 'colleague']);
    expect(made).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(Number(await box.require(['id', '-u', 'colleague']))).toBeLessThan(20_000);
    const removed = await box.exec(['userdel', 'colleague']);
    expect(removed).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('refuses a server with a user in the accounts’ uid range, and names the user and the rule', async () => {
    const uid = '25000';
    await box.require(['useradd', '--no-create-home', '--key', 'UID_MAX=30000', '--uid', uid, 'bob']);
    const refused = await install(box, []);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(said(refused)).toContain('bob (25000)');
    expect(said(refused)).toContain('Give them a uid below 20000');
    await box.require(['userdel', 'bob']);
    expect(await install(box, [])).toMatchObject({ exitCode: 0 });
  });

  test('new users get no subordinate ids, which could overlap the uids of accounts', async () => {
    await box.require(['touch', '/etc/subuid', '/etc/subgid']);
    await box.require(['useradd', '--no-create-home', 'colleague']);
    expect(await box.readFile('/etc/subuid')).toBe('');
    expect(await box.readFile('/etc/subgid')).toBe('');
    await box.require(['userdel', 'colleague']);
  });

  test('stores the identity readable by root only', async () => {
    const shown = await box.require(['stat', '-c', '%a %U', '/var/lib/innkeeper/agent/identity/node.json']);
    expect(shown).toBe('600 root\n');
    expect(await box.require(['stat', '-c', '%a', '/var/lib/innkeeper/agent'])).toBe('700\n');
  });

  test('changes nothing when it runs again, and does not restart the agent', async () => {
    const pid = await box.require(['systemctl', 'show', '-P', 'MainPID', 'innkeeper-agent']);
    const installed = await serverState(box);
    const result = await install(box, await firstInstallation(box, controlPlane));
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.stdout).toContain('Nothing had to be changed.');
    expect(differences(installed, await serverState(box))).toEqual([]);
    expect(await box.require(['systemctl', 'show', '-P', 'MainPID', 'innkeeper-agent'])).toBe(pid);
  });

  test('restores files that were changed by hand', async () => {
    const installed = await serverState(box);
    await box.require(['rm', '/etc/systemd/system/innkeeper-php@.socket', '/opt/innkeeper/bin/php-fpm']);
    await box.require(['chmod', '666', '/etc/nginx/conf.d/innkeeper.conf']);
    expect(await install(box, [])).toMatchObject({ exitCode: 0 });
    expect(differences(installed, await serverState(box))).toEqual([]);
  });

  test('does not replace a file that is not its own', async () => {
    await box.require(['rm', '/etc/sysctl.d/99-zz-innkeeper.conf']);
    await box.writeFile('/etc/sysctl.d/99-zz-innkeeper.conf', 'kernel.panic = 10\n');
    const result = await install(box, []);
    expect(result.exitCode).toBe(2);
    expect(said(result)).toContain('do not belong to Innkeeper: /etc/sysctl.d/99-zz-innkeeper.conf.');
    await box.require(['rm', '/etc/sysctl.d/99-zz-innkeeper.conf']);
    expect(await install(box, [])).toMatchObject({ exitCode: 0 });
  });

  test('sandboxes the agent: systemd-analyze security is 4.0 or less', async () => {
    const analysis = await box.require(['systemd-analyze', 'security', '--no-pager', 'innkeeper-agent']);
    const exposure = Number(
      /Overall exposure level for innkeeper-agent\.service: ([\d.]+)/.exec(analysis)?.[1],
    );
    expect(exposure).toBeLessThanOrEqual(4);
  });

  test('the agent starts again after a reboot of the server and after it is killed', async () => {
    await box.require(['systemctl', 'kill', '-s', 'KILL', 'innkeeper-agent']);
    expect(await box.exec(['innkeeper-agent', 'status', '--wait', '20'])).toMatchObject({ exitCode: 0 });
    const { boxes } = await testInstallation();
    await boxes.stop('install');
    await boxes.start('install');
    expect(await box.exec(['innkeeper-agent', 'status', '--wait', '20'])).toMatchObject({ exitCode: 0 });
  });

  test('refuses to uninstall while the server has accounts', async () => {
    const entry = '/var/lib/innkeeper/agent/ledger/7.json';
    await box.writeFile(entry, '{}');
    const result = await install(box, ['--uninstall']);
    expect(result.exitCode).toBe(1);
    expect(said(result)).toContain('This server has 1 hosting accounts.');
    await box.require(['rm', entry]);
  });

  test('uninstalls everything that it placed, and leaves the server as it was before', async () => {
    const result = await install(box, ['--uninstall']);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(differences(before, await serverState(box))).toEqual([]);
    await expectOwnThings();
    const welcome = await fetch(`http://${box.address}/`);
    expect(await welcome.text()).toContain('Welcome to nginx');
    expect(await box.exec(['mountpoint', '-q', '/proc'])).toMatchObject({ exitCode: 0 });
    expect(await box.require(['cat', '/proc/mounts'])).not.toContain('hidepid');
    expect(await install(box, ['--uninstall'])).toMatchObject({ exitCode: 0 });
  });
});
