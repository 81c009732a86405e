import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { requireProgram, waitUntil } from '@innkeeper/testkit/machine';
import type { LoadOrder, LoadResult } from './load.ts';

/** The measured process has its own CPU. The database and the load share the others. */
const SERVER_CPU = '0';
const OTHER_CPUS = `1-${Math.max(1, availableParallelism() - 1)}`;
const isPinned = availableParallelism() > 1;

const onCpus = (cpus: string, argv: readonly string[]) =>
  isPinned ? ['taskset', '--cpu-list', cpus, ...argv] : [...argv];

/** A measured process. */
export interface MeasuredServer {
  port: number;
  /** Used CPU time in ms, in steps of 10 ms. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a Node.js program on the measured CPU. Resolves when it answers `GET /api/v1/health`. */
export async function startServer(
  argv: readonly string[],
  options: { port: number; env: Record<string, string>; logFile: string },
): Promise<MeasuredServer> {
  const [program = '', ...args] = onCpus(SERVER_CPU, [process.execPath, ...argv]);
  await using log = await open(options.logFile, 'a');
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...options.env },
    stdio: ['ignore', log.fd, log.fd],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  await waitUntil(`the server of ${options.logFile}`, async () => {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${options.port}/api/v1/health`).catch(() => undefined);
    return response?.ok === true;
  });
  return {
    port: options.port,
    cpuMs: () => cpuMs(child),
    stop: async () => {
      process.removeListener('exit', kill);
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Fields 14 and 15 of /proc/<pid>/stat, in ticks of 10 ms. */
async function cpuMs({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Keeps a process and all its threads off the measured CPU. */
export async function pinBeside(pid: number): Promise<void> {
  if (isPinned)
    await requireProgram(['taskset', '--all-tasks', '--pid', '--cpu-list', OTHER_CPUS, String(pid)]);
}

/** Runs the load in its own process. Rejects if an answer is not a success. */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const [program = '', ...args] = onCpus(OTHER_CPUS, [
    process.execPath,
    join(import.meta.dirname, 'load.ts'),
  ]);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify(order));
  const [printed, complaint] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode ?? once(child, 'exit'),
  ]);
  if (printed === '') throw new Error(`the load ended without a result: ${complaint.slice(0, 4_000)}`);
  return JSON.parse(printed) as LoadResult;
}
