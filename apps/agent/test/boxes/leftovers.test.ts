import type { AccountSpec } from '@innkeeper/protocol';
import { waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { findRemains } from './remains.ts';
import { visit } from './site.ts';

/** What an account leaves all over a server, and puts in the way of its own removal. */
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
    domains: [
      {
        domain_id: lastId,
        name: `${name}.example.com`,
        is_primary: true,
        desired_state: 'active',
        certificate_revision: 0,
        certificate_email: '',
      },
    ],
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

async function asUser({ uid }: AccountSpec, script: string): Promise<void> {
  const id = String(uid);
  await server.box.require(['setpriv', '--reuid', id, '--regid', id, '--clear-groups', 'sh', '-ec', script]);
}

test('files, closed folders, IPC objects, jobs, mail and processes of a removed account are gone', async () => {
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

test('links that a user puts in the way of a removal lead nowhere', async () => {
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

test('a limit on operations does not keep an account from converging', async () => {
  const spec = newAccount('iops');
  spec.limits = { ...spec.limits, iops: 500, io_read_mbps: 20 };
  expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
  await visit(server.box.address, 'iops.example.com');
  expect(await server.settle({ ...spec, generation: 2 })).toMatchObject({ outcome: 'applied' });
  await expectGone({ ...spec, generation: 2 });
});

test('PHP is told the name of the site that was asked for', async () => {
  const spec = await create('named');
  expect((await visit(server.box.address, 'named.example.com')).body).toContain('<h1>named.example.com</h1>');
  await expectGone(spec);
});
