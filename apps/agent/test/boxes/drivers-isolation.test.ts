import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { asAccount, type Customers, customersOf } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/** Accounts on one server are isolated from each other, and neither nginx nor root follows their links. */
let server: AgentBox;
let box: Box;
let customers: Customers;

const accountOf = (id: number, linux_user: string): AccountSpec =>
  specOf({
    account_id: id,
    uid: 20_000 + id,
    linux_user,
    terminal_access: true,
    domains: [domainOf(id, `${linux_user}.example.com`)],
  });
const mallory = accountOf(1, 'mallory');
const victim = accountOf(2, 'victim');
const site = (spec: AccountSpec) => `/home/${spec.linux_user}/domains/${spec.linux_user}.example.com`;
const get = (spec: AccountSpec, path: string) => visit(box.address, `${spec.linux_user}.example.com`, path);
const phpOf = async (spec: AccountSpec, code: string) => {
  await customers.write(
    spec,
    `domains/${spec.linux_user}.example.com/public_html/probe.php`,
    `<?php ${code}`,
  );
  return (await get(spec, '/probe.php')).body;
};

beforeAll(async () => {
  server = await startAgentBox('isolation');
  box = server.box;
  customers = await customersOf(box);
  for (const spec of [mallory, victim]) {
    expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
    await customers.authorize(spec);
  }
  await customers.write(victim, 'domains/victim.example.com/public_html/secret.txt', 'the secret');
  expect((await get(victim, '/secret.txt')).body).toBe('the secret');
});

afterAll(async () => {
  await customers.end();
  await server.remove();
});

test('nginx follows no link to another account: not a file, a folder, a document root or a domain', async () => {
  const mine = site(mallory);
  const stolen: [name: string, make: string, undo: string, path: string][] = [
    ['a file', `ln -s ${site(victim)}/public_html/secret.txt ${mine}/public_html/a.txt`, 'true', '/a.txt'],
    ['a folder', `ln -s ${site(victim)}/public_html ${mine}/public_html/b`, 'true', '/b/secret.txt'],
    [
      'a document root',
      `mv ${mine}/public_html ${mine}/kept; ln -s ${site(victim)}/public_html ${mine}/public_html`,
      `rm ${mine}/public_html; mv ${mine}/kept ${mine}/public_html`,
      '/secret.txt',
    ],
    [
      'a domain',
      `mv ${mine} ${mine}.kept; ln -s ${site(victim)} ${mine}`,
      `rm ${mine}; mv ${mine}.kept ${mine}`,
      '/secret.txt',
    ],
    [
      'all domains',
      `mv ~/domains ~/kept; mkdir ~/domains; ln -s ${site(victim)} ${mine}`,
      `rm -r ~/domains; mv ~/kept ~/domains`,
      '/secret.txt',
    ],
  ];
  for (const [name, make, undo, path] of stolen) {
    await asAccount(box, mallory, `export HOME=/home/mallory; ${make}`);
    expect({ name, body: (await get(mallory, path)).body }).not.toMatchObject({
      body: expect.stringContaining('the secret'),
    });
    await asAccount(box, mallory, `export HOME=/home/mallory; ${undo}`);
  }
});

test('nginx follows an account’s links to its own files', async () => {
  const mine = site(mallory);
  await asAccount(
    box,
    mallory,
    `mv ${mine}/public_html ${mine}/app; ln -s app ${mine}/public_html; echo own > ${mine}/app/own.txt`,
  );
  expect(await get(mallory, '/own.txt')).toEqual({ status: 200, body: 'own\n' });
  await asAccount(box, mallory, `rm ${mine}/public_html; mv ${mine}/app ${mine}/public_html`);
});

test('hidden files are not served', async () => {
  await customers.write(victim, 'domains/victim.example.com/public_html/.env', 'PASSWORD=1');
  await customers.write(victim, 'domains/victim.example.com/public_html/.git/config', 'x');
  await customers.write(victim, 'domains/victim.example.com/public_html/.well-known/x', 'public');
  expect((await get(victim, '/.env')).status).toBe(404);
  expect((await get(victim, '/.git/config')).status).toBe(404);
  expect(await get(victim, '/.well-known/x')).toEqual({ status: 200, body: 'public' });
});

test('a shell and PHP see no files, processes or /tmp of another account', async () => {
  await customers.ssh(
    victim,
    'echo x > /tmp/of-victim; echo x > /var/tmp/of-victim; echo x > /dev/shm/of-victim',
  );
  await phpOf(
    victim,
    'touch("/tmp/of-victim"); touch("/dev/shm/of-victim"); shm_attach(4711, 4096) || die();',
  );
  const look = `ls -A /tmp /var/tmp /dev/shm; ls ${site(victim)} /home/victim; ps -eo user:20=; cat /etc/shadow /etc/innkeeper/php/*`;
  const shell = await customers.ssh(mallory, `(${look}) 2>&1`);
  expect(shell.stdout).toContain('Permission denied');
  expect(shell.stdout).not.toContain('of-victim');
  expect(shell.stdout).not.toMatch(/^(victim|root|www-data) *$/m);
  expect(shell.stdout).not.toContain('$6$');
  const php = await phpOf(
    mallory,
    `echo shell_exec(${JSON.stringify(`(${look}) 2>&1`.replaceAll('$', '\\$'))});`,
  );
  expect(php).toContain('Permission denied');
  expect(php).not.toContain('of-victim');
  expect(php).not.toMatch(/^(victim|root|www-data) *$/m);
});

test('what an account writes to /tmp and /var/tmp is measured with its home, and what it writes to /dev/shm with its memory', async () => {
  const disk_mb = 80;
  expect(
    await server.settle({ ...mallory, generation: 2, limits: { ...mallory.limits, disk_mb } }),
  ).toMatchObject({ outcome: 'applied' });
  const fill = 'head -c 30000000 /dev/zero >';
  const session = await customers.ssh(mallory, `${fill} /tmp/big && ${fill} /var/tmp/big; ulimit -c`);
  expect(session).toMatchObject({ exitCode: 0, stdout: '0\n' });
  const php =
    'foreach (["/tmp", "/dev/shm"] as $f) echo file_put_contents("$f/big", str_repeat("x", 30000000));';
  expect(await phpOf(mallory, php)).toBe('3000000030000000');
  const slice = await box.require(['systemctl', 'show', '-P', 'MemoryCurrent', 'user-20001.slice']);
  expect(Number(slice)).toBeGreaterThan(30_000_000);
  const elsewhere = ['find', '/', '-xdev', '-uid', '20001', '-size', '+1000k', '-not', '-path', '/home/*'];
  expect(await box.require([...elsewhere, '-not', '-path', '/proc/*'])).toBe('');
  // The agent measures every account at its start.
  await box.require(['systemctl', 'restart', 'innkeeper-agent']);
  const full = async () =>
    (await box.exec(['cat', '/var/lib/innkeeper/agent/full-disks.json'])).stdout.trim() === '[20001]';
  await waitUntil('the measure of disks', full, { timeoutMs: 60_000 });
  await customers.ssh(mallory, 'rm /tmp/big /var/tmp/big');
  await phpOf(mallory, 'unlink("/tmp/big"); unlink("/dev/shm/big");');
});

test('PHP’s shared memory survives the account’s sessions, and no other account reads it', async () => {
  const write = '$s = shmop_open(4712, "c", 0600, 8); echo shmop_write($s, "shared", 0);';
  const read = '$s = @shmop_open(4712, "a", 0, 0); echo $s ? shmop_read($s, 0, 6) : "none";';
  expect(await phpOf(victim, write)).toBe('6');
  expect((await customers.ssh(victim, 'true')).exitCode).toBe(0);
  expect(await phpOf(victim, read)).toBe('shared');
  expect(await phpOf(mallory, read)).toBe('none');
});

test('only nginx can connect to the PHP of an account', async () => {
  const socket = `/run/innkeeper/php/${victim.uid}.sock`;
  const connect = `$s = @stream_socket_client('unix://${socket}', $n, $e); echo $s ? 'connected' : $e;`;
  expect(await phpOf(mallory, connect)).toBe('Permission denied');
});

test('an account without terminal access gets no shell with any key in its home', async () => {
  const closed = { ...victim, generation: 2, terminal_access: false };
  expect(await server.settle(closed)).toMatchObject({ outcome: 'applied' });
  const { exitCode, stdout } = await customers.ssh(victim, 'echo in');
  expect(exitCode).not.toBe(0);
  expect(stdout).not.toMatch(/^in$/m);
  expect(await server.settle({ ...victim, generation: 3 })).toMatchObject({ outcome: 'applied' });
});

test('a removal follows no link out of the home, and removes files that the user made inaccessible', async () => {
  const spec = accountOf(3, 'leaver');
  expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
  await box.writeFile('/root/precious', 'kept');
  await asAccount(
    box,
    spec,
    'cd /home/leaver; ln -s /root root-link; ln -s /home/victim/domains v; ln -s / slash; mkdir -p deep/er; touch deep/er/f; chmod 000 deep/er deep',
  );
  await box.require(['sh', '-c', 'mkdir /home/leaver/by-root && echo x > /home/leaver/by-root/file']);
  await asAccount(box, spec, 'touch /tmp/stray; mkdir /dev/shm/stray; touch /dev/shm/stray/f');
  await box.require(['crontab', '-u', 'leaver', '-'], { input: '* * * * * true\n' });
  expect(await server.settle({ ...spec, generation: 2, desired_state: 'absent' })).toMatchObject({
    outcome: 'absent',
  });
  expect(await box.readFile('/root/precious')).toBe('kept');
  expect((await get(victim, '/secret.txt')).body).toBe('the secret');
  expect(await findRemains(box, spec, ['leaver.example.com'])).toEqual([]);
});
