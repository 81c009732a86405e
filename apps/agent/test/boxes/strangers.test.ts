import type { AccountSpec } from '@innkeeper/protocol';
import { makeZip } from '@innkeeper/testkit';
import {
  type Box,
  exposeSecret,
  type NpmRegistry,
  startCronClock,
  startNpmRegistry,
  testInstallation,
  waitUntil,
} from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeApp, specOf } from '../specs.ts';
import { asAccount, type Customers, customersOf } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { Deploys } from './deploys.ts';
import { visit } from './site.ts';

/**
 * One account tries to read everything of another, through every way it has to run code: PHP, a Node.js app, cron, SSH.
 * The other account runs the same attack on itself, which proves that the attack would find existing secrets.
 */
const SECRET = 'the-secret-of-victim';
const NAMESPACE = 'a-namespace-was-made';
const PASSWORD = 'Pass1word'.repeat(3);
const A_MINUTE_AND_MORE = { timeoutMs: 90_000, everyMs: 500 };

let server: AgentBox;
let box: Box;
let registry: NpmRegistry;
let customers: Customers;

function accountOf(id: number, linux_user: string): AccountSpec {
  const domain = (domain_id: number, name: string) => ({
    ...specOf({}).domains[0]!,
    domain_id,
    name,
    is_primary: domain_id === id,
  });
  return specOf({
    account_id: id,
    uid: 20_000 + id,
    linux_user,
    terminal_access: true,
    limits: { ...specOf({}).limits, ram_mb: 1_024, cpu_percent: 200 },
    domains: [domain(id, `${linux_user}.example.com`), domain(10 + id, `app.${linux_user}.example.com`)],
    databases: [
      {
        database_id: id,
        db_name: `${linux_user}_shop`,
        password: linux_user === 'victim' ? 'Unguessable9'.repeat(2) : PASSWORD,
        password_revision: 1,
        allowed_ips: [],
        desired_state: 'active',
      },
    ],
    cron_jobs: [
      {
        cron_job_id: id,
        schedule: '* * * * *',
        command: linux_user === 'victim' ? `true ${SECRET}` : 'sh attack.sh > attack-of-cron.txt',
        enabled: true,
      },
    ],
    apps: [
      nodeApp(id, {
        domain_id: 10 + id,
        env: [{ name: 'APP_SECRET', value: linux_user === 'victim' ? SECRET : 'own', is_secret: true }],
      }),
    ],
  });
}
const mallory = accountOf(1, 'mallory');
const victim = accountOf(2, 'victim');

/** Prints everything of victim that it can read. Every line is a hole that some other panel had. */
const ATTACK = `
exec 2>&1
V=/home/victim
cat $V/secret.txt $V/.php/sessions/* $V/logs/* $V/apps/2/current/server.js $V/apps/2/releases/*/server.js
cat $V/domains/victim.example.com/public_html/config.php
for process in /proc/[0-9]*; do tr '\\0' '\\n' < $process/environ; tr '\\0' ' ' < $process/cmdline; done
ps -eo args
find /tmp /var/tmp /dev/shm -type f -exec cat {} +
cat /etc/innkeeper/php/20002.conf /etc/innkeeper/cron/20002/* /etc/cron.d/*
find /etc/innkeeper/apps /var/lib/innkeeper /var/log/innkeeper /run/innkeeper -type f -exec cat {} +
curl -s -m 5 --unix-socket /run/innkeeper/apps/2.sock http://app.victim.example.com/
systemctl show --all 'innkeeper-app-20002@2.service'
busctl --timeout=5 call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager GetUnitProcesses s user-20002.slice
unshare --user --map-root-user --mount echo ${NAMESPACE}
journalctl --no-pager -n 1000
mariadb -u mallory_shop -p${PASSWORD} -e 'select * from victim_shop.words'
mariadb -u victim_shop -e 'select * from victim_shop.words'
pkill -KILL -u victim && echo killed: ${SECRET}
ln -sfn $V/secret.txt $HOME/domains/$(id -un).example.com/public_html/link.txt
curl -s -m 5 -H "Host: $(id -un).example.com" http://127.0.0.1/link.txt
echo attacked by $(id -u)
`;
const SERVER_JS = `
const { execFileSync } = require('node:child_process');
require('node:http').createServer((request, response) =>
  response.end(request.url === '/attack'
    ? execFileSync('sh', [process.env.HOME + '/attack.sh'], { encoding: 'utf8', maxBuffer: 1e8 })
    : process.env.APP_SECRET)).listen(process.env.PORT);
`;
const PHP = `<?php passthru('sh "$HOME/attack.sh"');`;

beforeAll(async () => {
  // Both tenants themselves write these values into arguments and files.
  for (const value of [SECRET, PASSWORD]) exposeSecret(value);
  server = await startAgentBox('strangers');
  box = server.box;
  customers = await customersOf(box);
  const { boxes } = await testInstallation();
  registry = await startNpmRegistry(boxes.network.hostAddress);
  await server.configure({ INNKEEPER_NPM_REGISTRY: registry.url });
  for (const spec of [victim, mallory]) {
    const { linux_user: user, account_id: id } = spec;
    const deploys = new Deploys(server, spec);
    expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
    await customers.authorize(spec);
    await customers.write(spec, 'attack.sh', ATTACK);
    await customers.write(spec, `domains/${user}.example.com/public_html/attack.php`, PHP);
    deploys.deploy(id, makeZip([{ name: 'server.js', data: SERVER_JS }]));
    await deploys.settled(id, 'running', 90_000);
  }
  for (const path of [
    'secret.txt',
    '.php/sessions/sess_1',
    'logs/own.log',
    'domains/victim.example.com/public_html/config.php',
  ])
    await customers.write(victim, path, SECRET);
  await asAccount(
    box,
    victim,
    `umask 022; echo ${SECRET} > /tmp/of-victim; echo ${SECRET} > /dev/shm/of-victim; chmod 600 /tmp/of-victim /dev/shm/of-victim`,
  );
  await box.require([
    'mariadb',
    '-e',
    `create table victim_shop.words (word text); insert into victim_shop.words values ('${SECRET}')`,
  ]);
  expect((await visit(box.address, 'app.victim.example.com')).body).toBe(SECRET);
}, 240_000);

afterAll(async () => {
  await customers?.end();
  await registry?.stop();
  await server?.remove();
});

test('the attack finds the secrets of the account that runs it', async () => {
  await asAccount(box, victim, 'sed -i /pkill/d /home/victim/attack.sh');
  const { stdout } = await customers.ssh(victim, 'sh attack.sh', 60_000);
  expect(stdout).toContain('attacked by 20002');
  expect(stdout.split(SECRET).length).toBeGreaterThan(6);
});

test('node and npm are available over SSH and in cron jobs, in the app’s version', async () => {
  const line = 'cd ~/apps/1 && node --version && npm --version && bash -lc "node --version"';
  const { stdout } = await customers.ssh(mallory, line, 60_000);
  const [node = '', npm = '', login = ''] = stdout.split('\n');
  expect(node).toMatch(/^v20\./);
  expect(npm).toMatch(/^\d+\./);
  expect(login).toBe(node);
  const inCron =
    'env -i HOME=/home/mallory PATH=/usr/local/bin:/usr/bin:/bin:/usr/lib/innkeeper/bin node --version';
  expect(await asAccount(box, mallory, inCron)).toBe(`${node}\n`);
});

describe('an account cannot read another account’s secrets', () => {
  const finds = async (said: string) => {
    expect(said).toContain('attacked by 20001');
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain('Unguessable9');
    expect(said).not.toContain(NAMESPACE);
  };

  test('over SSH', async () => {
    await finds((await customers.ssh(mallory, 'sh attack.sh', 60_000)).stdout);
  });

  test('from PHP', async () => {
    await finds((await visit(box.address, 'mallory.example.com', '/attack.php')).body);
  });

  test('from a Node.js app', async () => {
    await finds((await visit(box.address, 'app.mallory.example.com', '/attack')).body);
  });

  test('from cron', async () => {
    const result = async () => (await box.exec(['cat', '/home/mallory/attack-of-cron.txt'])).stdout;
    await (await startCronClock(box)).passMinute();
    const got = await waitUntil(
      'the attack',
      async () => {
        const text = await result();
        return text.includes('attacked by') && text;
      },
      A_MINUTE_AND_MORE,
    );
    await finds(got);
  }, 120_000);

  test('from the opcode cache of PHP', async () => {
    expect((await visit(box.address, 'victim.example.com', '/config.php')).body).toBe(SECRET);
    const code =
      '<?php echo json_encode(array_keys((opcache_get_status(true) ?: [])["scripts"] ?? [])), "attacked by 20001";';
    await customers.write(mallory, 'domains/mallory.example.com/public_html/cache.php', code);
    const { body } = await visit(box.address, 'mallory.example.com', '/cache.php');
    expect(body).toContain('attacked by');
    expect(body).not.toContain('/home/victim');
  });

  test('and the attacked account still works', async () => {
    expect((await visit(box.address, 'app.victim.example.com')).body).toBe(SECRET);
    expect((await visit(box.address, 'mallory.example.com', '/link.txt')).body).not.toContain(SECRET);
  });
});
