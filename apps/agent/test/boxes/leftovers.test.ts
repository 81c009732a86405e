import type { AccountSpec } from '@innkeeper/protocol';
import { waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf, specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { EXCHANGE_WHEN_READ, FILL_FOLDER } from './attackers.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/** Files and processes that an account leaves all over a server, and obstacles to its own removal. */
let server: AgentBox;

beforeAll(async () => {
  server = await startAgentBox('leftovers');
});

afterAll(() => server.remove());

let lastId = 0;

function newAccount(name: string): AccountSpec {
  lastId += 1;
  return specOf({
    account_id: lastId,
    uid: 20_000 + lastId,
    linux_user: name,
    terminal_access: true,
    domains: [domainOf(lastId, `${name}.example.com`)],
  });
}

async function create(name: string): Promise<AccountSpec> {
  const spec = newAccount(name);
  expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
  return spec;
}

async function expectGone(spec: AccountSpec): Promise<void> {
  const report = await server.settle({ ...spec, generation: spec.generation + 1, desired_state: 'absent' });
  expect(report).toMatchObject({ outcome: 'absent' });
  expect(
    await findRemains(
      server.box,
      spec,
      spec.domains.map(({ name }) => name),
    ),
  ).toEqual([]);
}

test('removes an account whose units fail while they stop', async () => {
  const spec = await create('unstoppable');
  const unit = `user-runtime-dir@${spec.uid}.service`;
  const dropIn = `/run/systemd/system/${unit}.d`;
  await server.box.writeFile(`${dropIn}/fails.conf`, '[Service]\nExecStop=\nExecStop=/bin/false\n');
  await server.box.require(['systemctl', 'daemon-reload']);
  await server.box.require(['loginctl', 'enable-linger', spec.linux_user]);
  const state = async () => (await server.box.exec(['systemctl', 'is-active', unit])).stdout.trim();
  await waitUntil('its unit to fail', async () => (await state()) === 'failed', { timeoutMs: 30_000 });
  await server.box.require(['rm', '-r', dropIn]);
  await expectGone(spec);
});

async function asUser({ uid }: AccountSpec, script: string): Promise<void> {
  const id = String(uid);
  await server.box.require(['setpriv', '--reuid', id, '--regid', id, '--clear-groups', 'sh', '-ec', script]);
}

test('removes files, closed folders, IPC objects, jobs, mail and processes of an account', async () => {
  const spec = await create('litter');
  await asUser(
    spec,
    `touch /tmp/left /var/tmp/left /dev/shm/left
mkdir -m 000 /tmp/closed
mkdir -p /tmp/deep/er; touch /tmp/deep/er/file; chmod 500 /tmp/deep/er /tmp/deep
ipcmk -M 1000; ipcmk -Q; ipcmk -S 3
mkdir -m 500 /home/litter/closed
setsid sleep 1000 </dev/null >/dev/null 2>&1 &`,
  );
  await server.box.require([
    'sh',
    '-ec',
    `printf '* * * * * true\\n' | crontab -u litter -
install -o litter -m 660 /dev/null /var/mail/litter
mkdir -p /home/litter/of-root/deep; touch /home/litter/of-root/deep/file
loginctl enable-linger litter
su - litter -c 'touch /tmp/in-its-own-tmp'
useradd --uid 1500 neighbour`,
  ]);
  await expectGone(spec);
  const tables = await server.box.require([
    'cat',
    '/proc/sysvipc/shm',
    '/proc/sysvipc/sem',
    '/proc/sysvipc/msg',
  ]);
  expect(tables).not.toContain(` ${spec.uid} `);
  const backups = await server.box.require([
    'cat',
    '/etc/passwd-',
    '/etc/shadow-',
    '/etc/group-',
    '/etc/gshadow-',
  ]);
  expect(backups).not.toMatch(/^litter:/m);
});

test('links that a user places for a removal to follow are not followed', async () => {
  const spec = await create('linker');
  await server.box.require(['sh', '-ec', 'mkdir -m 700 /root/secret; touch /root/secret/file']);
  await asUser(
    spec,
    `cd /home/linker; rm -rf domains logs .php; ln -s /etc/innkeeper domains; ln -s /root/secret logs
mkdir x; ln -s /etc x/etc; ln -s /root/secret x/secret; ln -s /root .php`,
  );
  const before = await server.box.require([
    'find',
    '/root/secret',
    '/etc/innkeeper',
    '-printf',
    '%p %U %G %m %T@\\n',
  ]);
  server.controlPlane.want({ ...spec, generation: 2 });
  await waitUntil('the agent to have tried', () => server.controlPlane.reportOf(spec.account_id, 2));
  expect(
    await server.box.require(['find', '/root/secret', '/etc/innkeeper', '-printf', '%p %U %G %m %T@\\n']),
  ).toBe(before);
  await expectGone({ ...spec, generation: 2 });
  expect(await server.box.require(['find', '/root/secret', '-printf', '%p %U %m\\n'])).toBe(
    '/root/secret 0 700\n/root/secret/file 0 644\n',
  );
});

/** Starts a program of an account that keeps running after this call. */
async function startAsUser(
  { uid }: AccountSpec,
  code: string,
  args: string[],
  output: string,
): Promise<void> {
  const id = String(uid);
  const drop = ['setpriv', '--reuid', id, '--regid', id, '--clear-groups', 'perl', '-e', code, ...args];
  const script = 'exec setsid "$@" </dev/null >"$0" 2>&1 &';
  await server.box.require(['sh', '-c', script, output, ...drop]);
}

test.each(['/var/lib/php/sessions', '/run/lock'])(
  'root does not follow a folder in %s that is exchanged for a link during a removal',
  async (shared) => {
    const { box } = server;
    const [stager, leaver] = [await create(`stager${lastId}`), await create(`leaver${lastId}`)];
    const stage = `${shared}/stage-${lastId}`;
    const canary = '/etc/innkeeper-canary';
    const said = `/root/said-${lastId}`;
    // As in Debian, independent of the installer.
    await box.require(['sh', '-ec', `chmod 1733 /var/lib/php/sessions; umask 077; echo kept > ${canary}`]);
    const before = await box.require(['stat', '-c', '%i %a %u %s', canary]);
    await asUser(
      stager,
      `mkdir ${stage} ${stage}/d; chmod 755 ${stage}; chmod 777 ${stage}/d; ln -s /etc ${stage}/l`,
    );
    await asUser(leaver, `touch ${stage}/d/innkeeper-canary`);
    await asUser(stager, `chmod 700 ${stage}/d`);
    await startAsUser(stager, EXCHANGE_WHEN_READ, [`${stage}/d`, `${stage}/l`], said);
    await waitUntil('the attacker to be ready', async () => (await box.readFile(said)).includes('armed'));
    const report = await server.settle({ ...leaver, generation: 2, desired_state: 'absent' });
    expect(report).toMatchObject({ outcome: 'absent' });
    expect(await box.require(['stat', '-c', '%i %a %u %s', canary])).toBe(before);
    const note = report.conditions.find(({ type }) => type === 'remains')?.message;
    // The agent no longer inspects what was in the folder of sessions.
    if (shared === '/run/lock') {
      expect(await box.readFile(said)).toContain('exchanged');
      expect(note).toContain('innkeeper-canary');
    } else expect(note).toBe('');
    await box.require(['sh', '-ec', `chmod 700 /var/lib/php/sessions; rm -rf ${stage} ${canary}`]);
    await expectGone(stager);
  },
);

test('a removal succeeds while another user fills a folder of the home', async () => {
  const { box } = server;
  const [guest, host] = [await create(`guest${lastId}`), await create(`host${lastId}`)];
  const [own, others] = [`/home/${guest.linux_user}/said`, `/home/${host.linux_user}`];
  // The agent closes an opened home within moments.
  await startAsUser(guest, FILL_FOLDER, [`${others}/open`, own], '/dev/null');
  await asUser(host, `mkdir ${others}/open; chmod 777 ${others}/open; chmod 755 ${others}`);
  await waitUntil(
    'the stranger to be inside',
    async () => (await box.exec(['grep', 'inside', own])).exitCode === 0,
  );
  await expectGone(host);
  expect(await box.exec(['pgrep', '-u', `${guest.uid}`])).toMatchObject({ exitCode: 0 });
  await expectGone(guest);
});

test('repairs a home that was given to root by mistake, and its site continues', async () => {
  const { box } = server;
  const spec = await create('mistake');
  await box.require(['sh', '-ec', 'chown root:root /home/mistake; chmod 700 /home/mistake']);
  await waitUntil(
    'the home to be given back',
    async () => (await box.require(['stat', '-c', '%U:%G %a', '/home/mistake'])) === 'mistake:www-data 750\n',
  );
  expect(await visit(box.address, 'mistake.example.com')).toMatchObject({ status: 200 });
  await box.require(['chown', 'root:root', '/home/mistake']);
  await expectGone(spec);
});

test('an account is removed while nginx is down', async () => {
  const spec = await create('nonginx');
  await server.box.require(['systemctl', 'stop', 'nginx']);
  try {
    await expectGone(spec);
  } finally {
    await server.box.require(['systemctl', 'start', 'nginx']);
  }
  expect(await visit(server.box.address, 'nonginx.example.com')).toMatchObject({ status: 404 });
});

test('an IOPS limit does not stop an account from converging', async () => {
  const spec = newAccount('iops');
  spec.limits = { ...spec.limits, iops: 500, io_read_mbps: 20 };
  expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
  await visit(server.box.address, 'iops.example.com');
  expect(await server.settle({ ...spec, generation: 2 })).toMatchObject({ outcome: 'applied' });
  await expectGone({ ...spec, generation: 2 });
});

test('PHP gets the name of the requested site', async () => {
  const spec = await create('titled');
  expect((await visit(server.box.address, 'titled.example.com')).body).toContain(
    '<h1>titled.example.com</h1>',
  );
  await expectGone(spec);
});
