import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { runProgram } from './program.ts';

/** A TCP port that nobody listens on at this moment. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the kernel gave no port');
  return address.port;
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
