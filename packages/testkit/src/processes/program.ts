import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Readable } from 'node:stream';

export interface ProgramResult {
  stdout: string;
  stderr: string;
  /** The exit code in the shell's convention: 128 plus the signal's number for a program that a signal ended. */
  exitCode: number;
}

export interface ProgramOptions {
  /** Standard input of the program. Default: empty. */
  input?: string | Uint8Array | Readable | undefined;
  /** Timeout in ms. After it the program is killed and the call rejects. Default: 60,000. */
  timeoutMs?: number | undefined;
  env?: NodeJS.ProcessEnv | undefined;
  cwd?: string | undefined;
  /** Called with every chunk of standard output and standard error as it arrives. */
  onOutput?: ((chunk: Buffer) => void) | undefined;
}

const running = new Set<ChildProcess>();

/** Ends all programs that this process is running. For a process that is about to exit. */
export function endRunningPrograms(): void {
  for (const child of running) child.kill('SIGTERM');
}

/**
 * Runs a program until it ends. Any exit code is a result. Rejects if the program cannot be started, and after the
 * timeout.
 */
export async function runProgram(
  argv: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const [program, ...args] = argv;
  if (program === undefined) throw new Error('runProgram needs at least the name of a program');
  const timeoutMs = options.timeoutMs ?? 60_000;
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: options.env ?? process.env,
    cwd: options.cwd,
  });
  running.add(child);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.push(chunk);
    options.onOutput?.(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr.push(chunk);
    options.onOutput?.(chunk);
  });
  // A program may end without reading its input.
  child.stdin.on('error', () => {});
  if (options.input instanceof Readable) options.input.pipe(child.stdin);
  else child.stdin.end(options.input);

  return await new Promise<ProgramResult>((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
      // Child processes of the program may hold the pipes open forever.
      child.stdout.destroy();
      child.stderr.destroy();
    }, timeoutMs);
    child.on('error', (cause) => {
      running.delete(child);
      clearTimeout(timer);
      reject(new Error(`${program} could not be started: ${cause.message}`, { cause }));
    });
    child.on('close', (code, signal) => {
      running.delete(child);
      clearTimeout(timer);
      if (timedOut) {
        reject(new Error(`${argv.join(' ')} did not end within ${timeoutMs} ms`));
        return;
      }
      resolve({
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
        exitCode: code ?? 128 + constants.signals[signal ?? 'SIGKILL'],
      });
    });
  });
}

/** Like `runProgram`, but rejects if the exit code is not 0, with the end of the program's output. */
export async function requireProgram(
  argv: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const result = await runProgram(argv, options);
  if (result.exitCode !== 0) {
    const said = (result.stderr.trim() || result.stdout.trim()).split('\n').slice(-10).join('\n');
    throw new Error(`${argv.join(' ')} ended with exit code ${result.exitCode}: ${said}`);
  }
  return result;
}
