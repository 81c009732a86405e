import type { AccountSpec } from '@innkeeper/protocol';
import { waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';

/** A compromised control plane: the agent executes its requests only within an account's limits. */
let server: AgentBox;
let accountId = 0;
const honest = specOf({ account_id: 1_000, uid: 21_000, linux_user: 'honest', domains: [] });

const snapshot = () =>
  server.box.require([
    'bash',
    '-c',
    `cd / && find etc home root usr/local var/spool -xdev -printf '%p %m %u %g %l\\n' | sort &&
     md5sum etc/passwd etc/shadow etc/group etc/gshadow && find etc/nginx etc/systemd -type f -exec md5sum {} + | sort`,
  ]);

beforeAll(async () => {
  server = await startAgentBox('hostile');
  expect(await server.settle(honest)).toMatchObject({ outcome: 'applied' });
});

afterAll(() => server.remove());

beforeEach(() => {
  accountId += 1;
});

async function answerTo(changes: object, over: object = {}) {
  const { controlPlane } = server;
  const spec = { ...specOf({ account_id: accountId, uid: 20_000 + accountId, domains: [] }), ...changes };
  controlPlane.want(spec as AccountSpec, over);
  return await waitUntil('an answer', () => controlPlane.reportOf(accountId, 1), { timeoutMs: 20_000 });
}

const domainNamed = (name: string) => ({
  domains: [
    {
      domain_id: '1',
      name,
      is_primary: true,
      desired_state: 'active',
      certificate_revision: 0,
    },
  ],
});

test.each([
  ['the uid of root', { uid: 0 }],
  ['the uid of www-data', { uid: 33 }],
  ['the uid of a person', { uid: 1_000 }],
  ['a path for a name', { linux_user: '../x' }],
  ['a name with a line of its own', { linux_user: 'x\nroot2:x:0:0::/:/bin/sh' }],
  ['a hash with a line of its own', { password_hash: '$6$a$b\nroot::0' }],
  ['a domain with a newline', domainNamed('a.example.com\n}')],
  ['a domain with a directive', domainNamed('a;b.com')],
  ['a domain that leaves its folder', domainNamed('../../../etc')],
  ['a state that there is not', { desired_state: 'purge' }],
])('%s is refused, and nothing on the server changes', async (_, over) => {
  const before = await snapshot();
  const report = await answerTo({}, over);
  expect(report).toMatchObject({ outcome: 'failed', conditions: [{ type: 'spec', reason: 'Refused' }] });
  expect(await snapshot()).toBe(before);
});

test.each([
  'root',
  'daemon',
  'www-data',
  'nobody',
  'sshd',
  'mysql',
  'shadow',
  'sudo',
  'adm',
  'innkeeper-proc',
])('the system name %s is refused: it is neither created, changed nor removed', async (linux_user) => {
  const before = await snapshot();
  for (const [generation, desired_state] of [[1, 'active'] as const, [2, 'suspended'] as const]) {
    server.controlPlane.want(
      specOf({
        account_id: accountId,
        uid: 20_000 + accountId,
        domains: [],
        linux_user,
        generation,
        desired_state,
      }),
    );
    const report = await waitUntil('an answer', () => server.controlPlane.reportOf(accountId, generation), {
      timeoutMs: 20_000,
    });
    expect(report.outcome).toBe('failed');
    expect(JSON.stringify(report.conditions)).toMatch(/Conflict|Refused/);
  }
  expect(await snapshot()).toBe(before);
  server.controlPlane.want(
    specOf({
      account_id: accountId,
      uid: 20_000 + accountId,
      domains: [],
      linux_user,
      generation: 3,
      desired_state: 'absent',
    }),
  );
  await waitUntil('an answer', () => server.controlPlane.reportOf(accountId, 3), { timeoutMs: 20_000 });
  expect(await snapshot()).toBe(before);
});

test('an account cannot take another account’s uid or name', async () => {
  const before = await snapshot();
  expect(await answerTo({ uid: honest.uid, linux_user: 'thief' })).toMatchObject({ outcome: 'failed' });
  accountId += 1;
  expect(await answerTo({ linux_user: honest.linux_user })).toMatchObject({ outcome: 'failed' });
  expect(await snapshot()).toBe(before);
});

test('another account is unchanged by all of this, and its drift is still repaired', async () => {
  const { box } = server;
  const entry = await box.require(['getent', 'passwd', 'honest']);
  expect(entry).toMatch(/^honest:x:21000:21000:/);
  await box.require(['chmod', '777', '/home/honest']);
  await waitUntil(
    'its home to be closed again',
    async () => (await box.require(['stat', '-c', '%a', '/home/honest'])) === '750\n',
  );
});

test('never touches a manually created user with an account’s uid', async () => {
  const { box, controlPlane } = server;
  await box.require([
    'useradd',
    '--uid',
    '25000',
    '--create-home',
    '--groups',
    'sudo',
    '--shell',
    '/bin/bash',
    'bob',
  ]);
  await box.require([
    'sh',
    '-ec',
    'echo bob:secret-of-bob | chpasswd; echo mine > /home/bob/mine; chown bob: /home/bob/mine',
  ]);
  const before = await snapshot();
  const stolen = `$6$attacker$${'a'.repeat(86)}`;
  for (const [at, desired_state] of (['active', 'suspended', 'active', 'absent'] as const).entries()) {
    const generation = at + 1;
    controlPlane.want(
      specOf({
        account_id: accountId,
        uid: 25_000,
        linux_user: 'bob',
        domains: [],
        terminal_access: true,
        password_hash: stolen,
        generation,
        desired_state,
      }),
    );
    const report = await waitUntil('an answer', () => controlPlane.reportOf(accountId, generation), {
      timeoutMs: 20_000,
    });
    expect(report).toMatchObject({ outcome: 'failed', conditions: [{ type: 'user', reason: 'Conflict' }] });
    expect(await snapshot()).toBe(before);
  }
  expect(await box.require(['id', '-nG', 'bob'])).toBe('bob sudo\n');
});

test('an account that was added to another group gets no login until it is removed from it', async () => {
  const { box, controlPlane } = server;
  const id = accountId + 500;
  const member = specOf({ account_id: id, uid: 20_000 + id, linux_user: 'member', domains: [] });
  expect(await server.settle(member)).toMatchObject({ outcome: 'applied' });
  await box.require(['usermod', '--append', '--groups', 'sudo', 'member']);
  const password_hash = `$6$attacker$${'b'.repeat(86)}`;
  controlPlane.want({ ...member, generation: 2, terminal_access: true, password_hash });
  const report = await waitUntil('an answer', () => controlPlane.reportOf(id, 2), { timeoutMs: 20_000 });
  expect(report.conditions).toContainEqual(expect.objectContaining({ type: 'user', reason: 'Conflict' }));
  expect(await box.require(['getent', 'shadow', 'member'])).not.toContain('attacker');
});

test.each([
  ['a name that a package takes', { linux_user: 'docker' }, 'linux_user'],
  [
    'a hash that costs minutes',
    { password_hash: `$6$rounds=999999999$a$${'a'.repeat(86)}` },
    'password_hash',
  ],
])('%s is refused before anything is stored', async (_, changes, field) => {
  const before = await snapshot();
  const report = await answerTo(changes);
  expect(report).toMatchObject({
    outcome: 'failed',
    conditions: [{ type: 'spec', reason: 'Refused', message: expect.stringContaining(field) }],
  });
  expect(await snapshot()).toBe(before);
});
