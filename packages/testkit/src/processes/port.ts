import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { runProgram } from './program.ts';

/** Below those that Linux gives to clients: no connection that is made meanwhile takes one of them. */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;
/** Those that this process has given out already: whoever asked may not listen yet. */
const given = new Set<number>();

/** A TCP port that nobody listens on at this moment. Each is given once. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port, host)) return port;
  }
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    server.close();
  }
}

/** Who listens on a TCP port, as a process id and the start of its command; undefined when nobody does. */
export async function findPortOwner(port: number): Promise<string | undefined> {
  const argv = ['ss', '--listening', '--tcp', '--numeric', '--processes', '--no-header', `sport = :${port}`];
  const { stdout } = await runProgram(argv);
  const line = stdout.split('\n').find((text) => text.trim() !== '');
  if (line === undefined) return undefined;
  const pid = /pid=(\d+)/.exec(line)?.[1];
  if (pid === undefined) return 'another process';
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  // Later words may hold anything, secrets too.
  const words = command
    .split('\0')
    .filter((word) => word !== '' && !word.startsWith('-'))
    .slice(0, 2);
  return `process ${pid} (${words.join(' ')})`;
}
