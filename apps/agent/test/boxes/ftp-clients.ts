import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProgramResult, requireProgram, runProgram } from '@innkeeper/testkit/machine';

/** A person with Debian's own clients and a file to upload. Exit codes are results. */
export interface FtpClients {
  readonly folder: string;
  /** The public key of the person, as `type base64`. */
  readonly key: string;
  /** curl over explicit TLS: lists a folder, or transfers what `args` say. */
  ftps(login: string, password: string, path?: string, args?: readonly string[]): Promise<ProgramResult>;
  /** lftp over explicit TLS, with lines of its own language. */
  lftp(login: string, password: string, lines: string, timeoutMs?: number): Promise<ProgramResult>;
  /** OpenSSH's sftp with the key, and with the password instead if there is one. */
  sftp(
    login: string,
    lines: string,
    options?: { password?: string; timeoutMs?: number; kbits?: number },
  ): Promise<ProgramResult>;
  /** An SSH session for anything else. */
  ssh(login: string, args: readonly string[]): Promise<ProgramResult>;
  end(): Promise<void>;
}

export async function ftpClientsOf(address: string): Promise<FtpClients> {
  const folder = await mkdtemp(join(tmpdir(), 'innkeeper-ftp-'));
  await requireProgram(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
  const key = (await readFile(join(folder, 'key.pub'), 'utf8')).split(' ').slice(0, 2).join(' ').trim();
  await writeFile(join(folder, 'askpass'), '#!/bin/sh\nprintf "%s\\n" "$FTP_TEST_PASSWORD"\n', {
    mode: 0o755,
  });
  const common = [
    ...['-F', 'none', '-o', 'LogLevel=ERROR', '-o', 'StrictHostKeyChecking=no', '-o', 'ConnectTimeout=10'],
    ...['-o', `UserKnownHostsFile=${folder}/hosts`, '-o', 'NumberOfPasswordPrompts=1'],
  ];
  const limitOf = (kbits: number | undefined) => (kbits === undefined ? [] : ['-l', `${kbits}`]);
  const withKey = ['-i', join(folder, 'key'), '-o', 'BatchMode=yes'];
  return {
    folder,
    key,
    ftps: (login, password, path = '', args = []) =>
      runProgram(
        [
          ...['curl', '--silent', '--show-error', '--insecure', '--ssl-reqd', '--max-time', '30'],
          // A password in an argument would be seen by every user of this machine.
          ...['--config', '-', ...args, `ftp://${address}/${path}`],
        ],
        { input: `user = "${login}:${password}"\n`, timeoutMs: 40_000 },
      ),
    lftp: (login, password, lines, timeoutMs = 40_000) =>
      runProgram(['lftp', '--norc'], {
        input: [
          'set cmd:fail-exit yes',
          'set ftp:ssl-force yes',
          'set ftp:ssl-protect-data yes',
          'set ssl:verify-certificate no',
          'set net:timeout 5',
          'set net:max-retries 1',
          `open -u "${login},${password}" ${address}`,
          lines,
          '',
        ].join('\n'),
        timeoutMs,
      }),
    sftp: (login, lines, { password, timeoutMs = 40_000, kbits } = {}) =>
      runProgram(
        password === undefined
          ? ['sftp', '-q', ...limitOf(kbits), ...common, ...withKey, '-b', '-', `${login}@${address}`]
          : ['sftp', '-q', ...common, '-o', 'PubkeyAuthentication=no', `${login}@${address}`],
        {
          input: `${lines}\n`,
          timeoutMs,
          env: {
            ...process.env,
            FTP_TEST_PASSWORD: password ?? '',
            SSH_ASKPASS: join(folder, 'askpass'),
            SSH_ASKPASS_REQUIRE: 'force',
          },
        },
      ),
    ssh: (login, args) =>
      runProgram(
        [
          'ssh',
          ...common,
          ...withKey,
          '-o',
          'ExitOnForwardFailure=yes',
          ...args,
          `${login}@${address}`,
          'id',
        ],
        {
          timeoutMs: 30_000,
        },
      ),
    end: () => rm(folder, { recursive: true, force: true }),
  };
}
