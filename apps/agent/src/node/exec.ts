import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import type { Changes } from './changes.ts';
import { HostError, refused } from './host-error.ts';
import { Launcher, type LauncherProcess } from './launcher.ts';
import perl from './perl.embed.ts';
import { stepSignal } from './step-signal.ts';

/**
 * The only place that runs programs. It never uses a shell: it runs an absolute program from the list below with an
 * argument array. The environment is fixed, standard input is empty or given bytes, output and time are limited.
 * Programs start as root. Work with an account's rights is done by AccountChild, which the account can neither signal
 * nor trace, or by a task in the account's slice.
 *
 * Some programs of the list run others that their arguments name:
 * - systemd-run: the agent's Node.js with innkeeper-task.mjs for an app (capabilities/apps/task), the programs of
 *   channels (node/account-programs.ts), perl with
 *   quota-state.pl and then true or repquota, setquota (capabilities/disk), nft (capabilities/firewall).
 * - setpriv: nice, ionice and du, with the right to read alone (capabilities/disk).
 * - perl: only programs of the agent, the .pl files beside its modules. launcher.pl starts every program but those that a
 *   task follows.
 * - git, in a task: ssh. npm and php, in a task: the account's own code.
 *
 * A program started by a step is killed when the step is aborted (step-signal.ts).
 */
export type Program =
  | `/opt/innkeeper/node/${string}/bin/npm`
  | '/opt/innkeeper/agent/node'
  | '/usr/bin/find'
  | '/usr/bin/getent'
  | '/usr/bin/git'
  | '/usr/bin/journalctl'
  | '/usr/bin/loginctl'
  | '/usr/bin/perl'
  | '/usr/bin/php'
  | '/usr/bin/setpriv'
  | '/usr/bin/sync'
  | '/usr/bin/systemctl'
  | '/usr/bin/systemd-notify'
  | '/usr/bin/systemd-run'
  | '/usr/bin/tar'
  | '/usr/sbin/nginx'
  | '/usr/sbin/postqueue'
  | '/usr/sbin/postsuper';

export interface RunOptions {
  readonly cwd?: string;
  /** Default 10 s. */
  readonly timeoutMs?: number;
  /** Exit codes that count as success. Default: 0. */
  readonly accept?: readonly number[];
  /** Limit for stdout and stderr each. Default 4 MiB. More output is a failure. */
  readonly maxOutputBytes?: number;
  /** Standard input. Default: empty. */
  readonly input?: string;
  /** Ends the program early. */
  readonly signal?: AbortSignal | undefined;
  /** Added to the fixed environment. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The result of a program that may have been ended early. `exitCode` is undefined then. */
export interface AttemptResult extends Omit<RunResult, 'exitCode'> {
  readonly exitCode: number | undefined;
  /** The program was ended because of its timeout or its output limit. */
  readonly wasCutOff: boolean;
}

/** A running program, its standard input and its standard output. */
export interface Conversation {
  readonly input: Writable;
  readonly output: Readable;
  /** `exitCode` is undefined after a signal. `stderr`: its end. */
  readonly ended: Promise<{ exitCode: number | undefined; stderr: string }>;
}

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', HOME: '/', SYSTEMD_COLORS: '0' };
/** Options of find that change files by path. Root changes files only in root-folder.ts. */
const FIND_CHANGES = /^-(?:delete|exec|ok|fprint|fls)/;
const shownErrorLength = 1_000;
const FORCE_AFTER_MS = 1_000;

export class Exec {
  readonly #changes: Changes;
  readonly #launcher = new Launcher(startLauncher);

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** Runs a program that only reads. Throws HostError when it fails, times out or prints too much. */
  async run(program: Program, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const accept = options.accept ?? [0];
    const result = await this.#end(program, args, options);
    if (result.exitCode !== undefined && accept.includes(result.exitCode))
      return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
    throw failure([program, ...args.map((arg, at) => (args[at - 1] === '-e' ? '…' : arg))].join(' '), result);
  }

  /** Runs a program that only reads. Returns its output, however it ended. */
  async attempt(
    program: Program,
    args: readonly string[],
    options: Omit<RunOptions, 'accept'> = {},
  ): Promise<AttemptResult> {
    const { exitCode, stdout, stderr, timedOut, isMaxBuffer } = await this.#end(program, args, options);
    return { exitCode, stdout, stderr, wasCutOff: timedOut === true || isMaxBuffer === true };
  }

  /**
   * Starts a program that holds a resource (a lock) while its standard input is open, and waits for its first line.
   * Returns a function that ends it. Throws HostError when it ends without printing a line.
   */
  async hold(program: Program, args: readonly string[]): Promise<() => Promise<void>> {
    let stderr = '';
    let begin = () => {};
    const started = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const held = this.#launcher.launch({
      argv: [program, ...args],
      environment,
      cwd: '/',
      input: 'open',
      onOutput: (stream, chunk) => {
        if (stream === 'stdout') begin();
        else stderr = `${stderr}${chunk.toString()}`.slice(0, shownErrorLength);
      },
    });
    const ended = await Promise.race([started, held.ended]);
    if (ended !== undefined) throw failure(program, { ...ended, stderr });
    return async () => {
      held.closeInput();
      await held.ended;
    };
  }

  /**
   * Starts a program without a timeout, with its standard input and output as streams. The change is counted. Aborting
   * ends it. `ended` never rejects.
   */
  converse(program: Program, args: readonly string[], signal: AbortSignal): Conversation {
    this.#changes.record();
    let errors = '';
    const started = execa(program, args, {
      env: environment,
      extendEnv: false,
      cwd: '/',
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      buffer: false,
      encoding: 'buffer',
      reject: false,
      cancelSignal: signal,
      forceKillAfterDelay: FORCE_AFTER_MS,
    });
    started.stderr.on('data', (chunk: Uint8Array) => {
      errors = `${errors}${Buffer.from(chunk).toString()}`.slice(-shownErrorLength);
    });
    return {
      input: started.stdin,
      output: started.stdout,
      ended: started.then(({ exitCode }) => ({ exitCode, stderr: errors })),
    };
  }

  /** Runs a program without a timeout and passes on its output as it prints. Aborting ends it. */
  async follow(
    program: Program,
    args: readonly string[],
    options: Required<Pick<RunOptions, 'cwd' | 'variables'>> & {
      readonly signal: AbortSignal;
      readonly onOutput: (chunk: Uint8Array) => void;
    },
  ): Promise<{ exitCode: number | undefined; signal: string | undefined }> {
    const followed = execa(program, args, {
      env: { ...environment, ...options.variables },
      extendEnv: false,
      cwd: options.cwd,
      stdin: 'ignore',
      all: true,
      buffer: false,
      encoding: 'buffer',
      reject: false,
      cancelSignal: options.signal,
      forceKillAfterDelay: 1_000,
    });
    followed.all.on('data', options.onOutput);
    const { exitCode, signal } = await followed;
    return { exitCode, signal };
  }

  /**
   * Runs a program until it ends, or ends it: with SIGTERM, then SIGKILL after 1 s; with SIGKILL at once when its step
   * is aborted.
   */
  async #end(program: Program, args: readonly string[], options: RunOptions): Promise<Result> {
    const { cwd = '/', variables, input, signal, timeoutMs = 10_000 } = options;
    assertChangesNoFileAsRoot(program, args);
    const maxOutputBytes = options.maxOutputBytes ?? 4 * 1024 * 1024;
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    const bytes = { stdout: 0, stderr: 0 };
    let [timedOut, isMaxBuffer] = [false, false];
    const step = stepSignal();
    const isAborted = () => signal?.aborted === true || step?.aborted === true;
    if (isAborted()) return { stdout: '', stderr: '', timedOut, isMaxBuffer };
    const launched = this.#launcher.launch({
      argv: [program, ...args],
      environment: { ...environment, ...variables },
      cwd,
      input: input === undefined ? 'none' : { text: input },
      onOutput: (stream, chunk) => {
        if (isMaxBuffer) return;
        bytes[stream] += chunk.length;
        isMaxBuffer = bytes[stream] > maxOutputBytes;
        if (isMaxBuffer) end();
        else output[stream].push(chunk);
      },
    });
    let force: NodeJS.Timeout | undefined;
    const end = () => {
      launched.kill('SIGTERM');
      force ??= setTimeout(() => launched.kill('SIGKILL'), FORCE_AFTER_MS);
    };
    const limit = setTimeout(() => {
      timedOut = true;
      end();
    }, timeoutMs);
    const kill = () => launched.kill('SIGKILL');
    signal?.addEventListener('abort', end, { once: true });
    step?.addEventListener('abort', kill, { once: true });
    const ending = await launched.ended;
    clearTimeout(limit);
    clearTimeout(force);
    signal?.removeEventListener('abort', end);
    step?.removeEventListener('abort', kill);
    const text = (stream: keyof typeof output) => Buffer.concat(output[stream]).toString();
    // A program that was ended early did not complete its work, whatever its exit code is.
    const exitCode = timedOut || isMaxBuffer || isAborted() ? undefined : ending.exitCode;
    return { ...ending, exitCode, stdout: text('stdout'), stderr: text('stderr'), timedOut, isMaxBuffer };
  }

  /** Runs a program that changes the node. The change is counted, whether the program succeeds or not. */
  async change(program: Program, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    try {
      return await this.run(program, args, options);
    } finally {
      this.#changes.record();
    }
  }
}

/** Throws HostError `Refused`. */
function assertChangesNoFileAsRoot(program: Program, args: readonly string[]): void {
  if (program === '/usr/bin/find' && args.some((argument) => FIND_CHANGES.test(argument)))
    throw refused(`${program} changes files by their paths: not as root.`);
}

interface Failed {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly stderr?: string;
  readonly timedOut?: boolean;
  readonly isMaxBuffer?: boolean;
  readonly cause?: unknown;
}

type Result = Failed & Pick<RunResult, 'stdout' | 'stderr'>;

function startLauncher(): LauncherProcess {
  const started = execa('/usr/bin/perl', ['-e', perl.launcher], {
    env: environment,
    extendEnv: false,
    cwd: '/',
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    buffer: false,
    encoding: 'buffer',
    reject: false,
  });
  const { stdin, stdout } = started as unknown as { stdin: Socket; stdout: Socket };
  const parts = [started.nodeChildProcess, stdin, stdout];
  return {
    stdin,
    stdout,
    ended: started,
    ref: () => parts.forEach((part) => void part.ref()),
    unref: () => parts.forEach((part) => void part.unref()),
  };
}

function failure(command: string, result: Failed): HostError {
  const shown = command.length > 300 ? `${command.slice(0, 300)}…` : command;
  const how = result.timedOut
    ? 'took too long'
    : result.isMaxBuffer
      ? 'printed too much'
      : result.exitCode === undefined
        ? `ended by ${result.signal ?? 'an error at its start'}`
        : `ended with exit code ${result.exitCode}`;
  const errors = result.stderr?.trim().slice(-shownErrorLength) ?? '';
  return new HostError('Failed', `${shown} ${how}${errors === '' ? '.' : `: ${errors}`}`, {
    command: shown,
    exitCode: result.exitCode,
    cause: result.cause,
  });
}
