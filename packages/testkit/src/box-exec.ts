import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { type ProgramResult, runProgram } from './program.ts';

export interface BoxExecOptions {
  /** What the command reads; without it standard input is empty. */
  input?: string | Uint8Array | Readable;
  /** After this the command and its process group are killed and the call rejects. Default: 60,000. */
  timeoutMs?: number;
  env?: Record<string, string>;
}

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
};

/** The command of the host that runs `argv` as root in the box `name` of `boxesDir`. */
function attachArgv(
  boxesDir: string,
  name: string,
  argv: readonly string[],
  env: Record<string, string> = {},
): string[] {
  const variables = Object.entries({ ...ENVIRONMENT, ...env }).flatMap(([key, value]) => [
    '--set-var',
    `${key}=${value}`,
  ]);
  return ['lxc-attach', '-P', boxesDir, '-n', name, '--clear-env', ...variables, '--', ...argv];
}

/** Runs a command in a box to its end. Any exit code is a result. */
export async function execInBox(
  boxesDir: string,
  name: string,
  argv: readonly string[],
  options: BoxExecOptions = {},
): Promise<ProgramResult> {
  const timeoutMs = options.timeoutMs ?? 60_000;
  // Killing lxc-attach on the host would leave the command running in the box, so the box ends it itself.
  const limited = ['timeout', '--signal=KILL', `${timeoutMs / 1000}s`, ...argv];
  const started = performance.now();
  const result = await runProgram(attachArgv(boxesDir, name, limited, options.env), {
    input: options.input,
    timeoutMs: timeoutMs + 5_000,
  });
  if (result.exitCode === 137 && performance.now() - started >= timeoutMs) {
    throw new Error(`${name}: ${argv.join(' ')} did not end within ${timeoutMs} ms`);
  }
  return result;
}

/** Attaches the terminal of this process to a command in the box; gives its exit code. */
export async function attachTerminal(
  boxesDir: string,
  name: string,
  argv: readonly string[],
): Promise<number> {
  const [program, ...args] = attachArgv(boxesDir, name, argv, { TERM: process.env.TERM ?? 'dumb' });
  const child = spawn(program!, args, { stdio: 'inherit' });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/** A folder of the host as a tar stream whose single top entry is the folder itself. */
export function folderStream(hostPath: string): Readable {
  const tar = spawn(
    'tar',
    ['-C', dirname(hostPath), '-cf', '-', '--owner=0', '--group=0', '--', basename(hostPath)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return tar.stdout;
}

export function fileStream(hostPath: string): Readable {
  return createReadStream(hostPath, { highWaterMark: 1024 * 1024 });
}
