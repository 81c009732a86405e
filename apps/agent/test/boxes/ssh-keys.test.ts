import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, requireProgram, runProgram } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';

/** Logins with the public keys of the panel. */
let server: AgentBox;
let box: Box;
let folder: string;
let key: string;
let generation = 1;

const anna = specOf({ account_id: 1, uid: 20_001, linux_user: 'anna', terminal_access: true, domains: [] });
const other = specOf({ account_id: 2, uid: 20_002, linux_user: 'other', terminal_access: true, domains: [] });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'innkeeper-keys-'));
  await requireProgram(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
  key = (await readFile(join(folder, 'key.pub'), 'utf8')).split(' ').slice(0, 2).join(' ').trim();
  server = await startAgentBox('ssh-keys');
  box = server.box;
}, 120_000);

afterAll(async () => {
  await server?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function settle(spec: AccountSpec, changes: Partial<AccountSpec>): Promise<void> {
  generation += 1;
  const next = { ...spec, ...changes, generation };
  const outcome = next.desired_state === 'absent' ? 'absent' : 'applied';
  expect(await server.settle(next)).toMatchObject({ outcome });
}

/** Runs `id -u` with the key. Exit code 255: the login was refused. */
async function logIn({ linux_user }: AccountSpec) {
  const options = ['BatchMode=yes', 'LogLevel=ERROR', 'StrictHostKeyChecking=no', 'ConnectTimeout=10'];
  const { exitCode, stdout } = await runProgram(
    [
      ...['ssh', '-F', 'none', '-i', join(folder, 'key')],
      ...[...options, `UserKnownHostsFile=${folder}/hosts`].flatMap((option) => ['-o', option]),
      ...[`${linux_user}@${box.address}`, 'id -u'],
    ],
    { timeoutMs: 30_000 },
  );
  return { exitCode, stdout: stdout.trim() };
}

test('a key of the panel logs in to its account only, until it is removed, the account is suspended or has no terminal access', async () => {
  await settle(other, {});
  await settle(anna, {});
  expect(await logIn(anna)).toMatchObject({ exitCode: 255 });

  await settle(anna, { ssh_keys: [key] });
  expect(await logIn(anna)).toEqual({ exitCode: 0, stdout: '20001' });
  expect(await logIn(other)).toMatchObject({ exitCode: 255 });

  await settle(anna, { ssh_keys: [key], desired_state: 'suspended' });
  expect(await logIn(anna)).toMatchObject({ exitCode: 255 });
  await settle(anna, { ssh_keys: [key], terminal_access: false });
  expect((await logIn(anna)).exitCode).not.toBe(0);

  await settle(anna, { ssh_keys: [key] });
  expect(await logIn(anna)).toMatchObject({ exitCode: 0 });
  await settle(anna, { ssh_keys: [] });
  expect(await logIn(anna)).toMatchObject({ exitCode: 255 });
});

test('the owner cannot change the file, other accounts cannot read it, and nothing of it is left after a removal', async () => {
  await settle(anna, { ssh_keys: [key] });
  const file = '/etc/innkeeper/ssh-keys/20001/authorized_keys';
  const as = async (uid: number, line: string) =>
    (await box.exec(['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'sh', '-c', line]))
      .exitCode;
  expect(await as(20_001, `cat ${file}`)).toBe(0);
  expect(await as(20_001, `echo x >> ${file}`)).not.toBe(0);
  expect(await as(20_001, `rm -f ${file}`)).not.toBe(0);
  expect(await as(20_002, `cat ${file}`)).not.toBe(0);
  await settle(anna, { desired_state: 'absent' });
  await box.require(['test', '!', '-e', '/etc/innkeeper/ssh-keys/20001']);
});
