import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { runProgram } from './program.ts';

/** Below the range of Linux's ephemeral ports, so that no outgoing connection takes one of these. */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;
/** Ports that this process has already returned: the caller may not listen on them yet. */
const given = new Set<number>();

/** Returns a TCP port on which no process listens now. Returns each port only once. */
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

/** Returns the process that listens on a TCP port: its id and the start of its command. Undefined if there is none. */
export async function findPortOwner(port: number): Promise<string | undefined> {
  const argv = ['ss', '--listening', '--tcp', '--numeric', '--processes', '--no-header', `sport = :${port}`];
  const { stdout } = await runProgram(argv);
  const line = stdout.split('\n').find((text) => text.trim() !== '');
  if (line === undefined) return undefined;
  const pid = /pid=(\d+)/.exec(line)?.[1];
  if (pid === undefined) return 'another process';
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  // Later arguments may contain anything, also secrets.
  const words = command
    .split('\0')
    .filter((word) => word !== '' && !word.startsWith('-'))
    .slice(0, 2);
  return `process ${pid} (${words.join(' ')})`;
}
