import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { GUEST_ENVIRONMENT, type ToGuest } from '../boxes/guest-exec.ts';
import { runProgram } from '../processes/program.ts';

/** Access to a virtual machine as root. All commands of all processes share one connection: a new one takes seconds. */
export interface Ssh {
  toGuest: ToGuest;
  /** Runs a command on the terminal of this process and returns its exit code. */
  attach(argv: readonly string[]): Promise<number>;
  /** Ends the shared connection, for a machine that ends. */
  close(): Promise<void>;
}

/** The folder has the file `key`, a private key, and gets the socket of the connection. */
export function createSsh(folder: string, address: string): Ssh {
  const options = [
    ...[
      'BatchMode=yes',
      'LogLevel=ERROR',
      'ConnectTimeout=10',
      'ServerAliveInterval=15',
      'ServerAliveCountMax=8',
    ],
    ...['ControlMaster=auto', `ControlPath=${join(folder, 'ssh')}`, 'ControlPersist=yes'],
    // The address is on a bridge of this machine, and every box has the same host key.
    ...['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null'],
  ];
  const base = [
    'ssh',
    '-F',
    'none',
    '-i',
    join(folder, 'key'),
    ...options.flatMap((option) => ['-o', option]),
  ];
  const line = (argv: readonly string[], env: Readonly<Record<string, string>>) =>
    quote(['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...argv]);
  const target = `root@${address}`;
  return {
    // The shell stays, so that it can report a command that a signal ended.
    toGuest: (argv, env) => [...base, target, '--', `${line(argv, env)}; exit $?`],
    attach: async (argv) => {
      const command = line(argv, { ...GUEST_ENVIRONMENT, TERM: process.env.TERM ?? 'dumb' });
      const terminal = process.stdin.isTTY ? ['-t'] : [];
      const [program, ...args] = [...base, ...terminal, target, '--', `${command}; exit $?`];
      const child = spawn(program!, args, { stdio: 'inherit' });
      return await new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
      });
    },
    close: async () => {
      await runProgram([...base, '-O', 'exit', target]);
    },
  };
}

/** Quotes words for a shell. */
function quote(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}
