import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { waitUntil } from './wait-until.ts';

/**
 * Processes that outlive the script that started them. Each has a record, `<recordDir>/<name>.pid`, with its process id
 * and its start time from the kernel. So a process that reuses the id is never mistaken for the recorded one, and never
 * stopped.
 */

export interface DaemonOptions {
  recordDir: string;
  name: string;
  argv: readonly string[];
  /** The complete environment of the process; nothing is inherited. */
  env?: Record<string, string>;
  cwd?: string;
  /** Standard output and standard error are appended to this file. */
  logFile: string;
}

/** Starts a process in its own session and records it. Rejects if the program cannot be started. */
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

/** Returns the id of the recorded process if exactly that process is still running. */
export async function findDaemon(recordDir: string, name: string): Promise<number | undefined> {
  const text = await readFile(recordPath(recordDir, name), 'utf8').catch(() => undefined);
  if (text === undefined || text === '') return undefined;
  const { pid, startTime } = JSON.parse(text) as { pid: number; startTime: string };
  return (await processStartTime(pid)) === startTime ? pid : undefined;
}

/** Stops the recorded process: sends SIGTERM, and SIGKILL if it still runs after `graceMs`. */
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

/** The process may have ended since it was found. */
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
 * Returns the boot id and the start time in clock ticks since boot (field 22 of /proc/<pid>/stat). Undefined if the
 * process does not exist or has ended.
 */
async function processStartTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return `${bootId.trim()} ${fields[19]}`;
}
