import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProgramResult, runProgram } from '@innkeeper/testkit';

/** Runs a command over SSH as a customer with a password. Exit code 255: the login was refused. */
export async function sshWithPassword(
  address: string,
  user: string,
  password: string,
  command: string,
): Promise<ProgramResult> {
  const dir = await mkdtemp(join(tmpdir(), 'ssh-'));
  try {
    const askpass = join(dir, 'askpass');
    await writeFile(askpass, '#!/bin/sh\nprintf "%s\\n" "$SSH_TEST_PASSWORD"\n');
    await chmod(askpass, 0o700);
    return await runProgram(
      [
        'ssh',
        ...[
          '-o',
          'StrictHostKeyChecking=no',
          '-o',
          `UserKnownHostsFile=${dir}/known`,
          '-o',
          'LogLevel=ERROR',
        ],
        ...['-o', 'PreferredAuthentications=password', '-o', 'NumberOfPasswordPrompts=1'],
        ...['-o', 'ConnectTimeout=10', '-F', 'none'],
        `${user}@${address}`,
        command,
      ],
      {
        env: {
          PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
          SSH_ASKPASS: askpass,
          SSH_ASKPASS_REQUIRE: 'force',
          SSH_TEST_PASSWORD: password,
        },
        timeoutMs: 30_000,
      },
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
