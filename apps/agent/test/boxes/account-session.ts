import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, type ProgramResult, requireProgram, runProgram } from '@innkeeper/testkit/machine';

/** Actions of a customer: SSH sessions with their own key, and files below their home. */
export interface Customers {
  /** Authorizes the key for the account's customer. */
  authorize(spec: AccountSpec): Promise<void>;
  /** Runs a shell line in an SSH session. Exit code 255: access denied. */
  ssh(spec: AccountSpec, line: string, timeoutMs?: number): Promise<ProgramResult>;
  /** Runs a line of the SFTP client in an SFTP session. */
  sftp(user: string, line: string): Promise<ProgramResult>;
  /** Writes a file below the home, as the account. */
  write(spec: AccountSpec, path: string, content: string): Promise<void>;
  end(): Promise<void>;
}

/** Runs a shell line as the account, outside of any session or slice. */
export async function asAccount(box: Box, spec: AccountSpec, line: string, input = ''): Promise<string> {
  const uid = String(spec.uid);
  const argv = ['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups', 'sh', '-ec', line];
  return await box.require(argv, { input });
}

export async function customersOf(box: Box): Promise<Customers> {
  const folder = await mkdtemp(join(tmpdir(), 'innkeeper-ssh-'));
  const key = join(folder, 'key');
  await requireProgram(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const options = [
    ...['-i', key, '-F', 'none'],
    ...['LogLevel=ERROR', 'ConnectTimeout=10', 'BatchMode=yes', 'StrictHostKeyChecking=no'].flatMap(
      (option) => ['-o', option],
    ),
    ...['-o', `UserKnownHostsFile=${folder}/hosts`],
  ];
  const write: Customers['write'] = async (spec, path, content) => {
    const to = `/home/${spec.linux_user}/${path}`;
    await asAccount(box, spec, `umask 022; mkdir -p "$(dirname ${to})"; cat > ${to}`, content);
  };
  return {
    write,
    authorize: async (spec) => {
      await write(spec, '.ssh/authorized_keys', await readFile(`${key}.pub`, 'utf8'));
      await asAccount(box, spec, `chmod -R go= /home/${spec.linux_user}/.ssh`);
    },
    ssh: async (spec, line, timeoutMs = 30_000) =>
      await runProgram(['ssh', ...options, `${spec.linux_user}@${box.address}`, line], { timeoutMs }),
    sftp: async (user, line) =>
      await runProgram(['sftp', ...options, '-b', '-', `${user}@${box.address}`], { input: `${line}\n` }),
    end: () => rm(folder, { recursive: true }),
  };
}
