import type { Readable } from 'node:stream';
import { type ProgramResult, runProgram } from '../processes/program.ts';

export interface GuestExecOptions {
  /** Standard input of the command. Default: empty. */
  input?: string | Uint8Array | Readable;
  /** Timeout in ms. After it the command and its process group are killed and the call rejects. Default: 60,000. */
  timeoutMs?: number;
  env?: Record<string, string>;
}

export type GuestExec = (argv: readonly string[], options?: GuestExecOptions) => Promise<ProgramResult>;

/** Returns the command of this machine that runs `argv` as root in the guest, with exactly that environment. */
export type ToGuest = (argv: readonly string[], env: Readonly<Record<string, string>>) => string[];

export const GUEST_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
};

/** Runs a command in a guest until it ends. Any exit code is a result. */
export async function execInGuest(
  name: string,
  toGuest: ToGuest,
  argv: readonly string[],
  options: GuestExecOptions = {},
): Promise<ProgramResult> {
  const timeoutMs = options.timeoutMs ?? 60_000;
  // Killing the local program would leave the command running in the guest, so a timeout in the guest kills it.
  const limited = ['timeout', '--signal=KILL', `${timeoutMs / 1000}s`, ...argv];
  const started = performance.now();
  const result = await runProgram(toGuest(limited, { ...GUEST_ENVIRONMENT, ...options.env }), {
    input: options.input,
    timeoutMs: timeoutMs + 5_000,
  });
  if (result.exitCode === 137 && performance.now() - started >= timeoutMs) {
    throw new Error(`${name}: ${argv.join(' ')} did not end within ${timeoutMs} ms`);
  }
  return result;
}
