import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { waitUntil } from './wait-until.ts';

/**
 * Processes that outlive the script that started them. Each has a record, `<recordDir>/<name>.pid`, that
 * holds its id and the time the kernel started it: an id that was given to another process in the
 * meantime is never taken for ours, so it is never stopped.
 */

export interface DaemonOptions {
  recordDir: string;
  name: string;
  argv: readonly string[];
  /** The whole environment of the process; nothing is inherited. */
  env?: Record<string, string>;
  cwd?: string;
  /** Its standard output and standard error are appended here. */
  logFile: string;
}

/** Starts a process in a session of its own and records it. Rejects when the program cannot be started. */
export async function startDaemon(options: DaemonOptions): Promise<number> {
  await mkdir(options.recordDir, { recursive: true });
  await mkdir(dirname(options.logFile), { recursive: true });
  const [program, ...args] = options.argv;
  if (program === undefined) throw new Error(`the process ${options.name} has no program`);
  const log = await open(options.logFile, 'a');
  try {
    const child = spawn(program, args, {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...options.env },
      cwd: options.cwd ?? '/',
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    const pid = child.pid!;
    const startTime = await processStartTime(pid);
    if (startTime !== undefined) {
      await writeFile(recordPath(options.recordDir, options.name), JSON.stringify({ pid, startTime }));
    }
    return pid;
  } finally {
    await log.close();
  }
}

/** The id of the recorded process, when that very process still runs. */
export async function findDaemon(recordDir: string, name: string): Promise<number | undefined> {
  const text = await readFile(recordPath(recordDir, name), 'utf8').catch(() => undefined);
  if (text === undefined || text === '') return undefined;
  const { pid, startTime } = JSON.parse(text) as { pid: number; startTime: string };
  return (await processStartTime(pid)) === startTime ? pid : undefined;
}

/** Ends the recorded process: SIGTERM, and SIGKILL when it is still there after `graceMs`. */
export async function stopDaemon(recordDir: string, name: string, graceMs = 15_000): Promise<boolean> {
  const pid = await findDaemon(recordDir, name);
  if (pid !== undefined) {
    const isGone = async () => (await findDaemon(recordDir, name)) === undefined;
    sendSignal(pid, 'SIGTERM');
    await waitUntil(`the end of ${name}`, isGone, { timeoutMs: graceMs }).catch(async () => {
      if (!(await isGone())) sendSignal(pid, 'SIGKILL');
      await waitUntil(`the end of ${name}`, isGone);
    });
  }
  await rm(recordPath(recordDir, name), { force: true });
  return pid !== undefined;
}

/** To a process that may have ended since it was looked for. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function recordPath(recordDir: string, name: string): string {
  return join(recordDir, `${name}.pid`);
}

/**
 * The boot, and the clock ticks since it (field 22 of /proc/<pid>/stat); undefined for no process and for one
 * that ended.
 */
async function processStartTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return `${bootId.trim()} ${fields[19]}`;
}
