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

/** Who listens on a TCP port, in the words of `ss`: undefined when nobody does. */
export async function findPortOwner(port: number): Promise<string | undefined> {
  const { stdout } = await runProgram([
    'ss',
    '--listening',
    '--tcp',
    '--numeric',
    '--processes',
    '--no-header',
    `sport = :${port}`,
  ]);
  const line = stdout.split('\n').find((text) => text.trim() !== '');
  if (line === undefined) return undefined;
  const owner = /\("([^"]+)",pid=(\d+)/.exec(line);
  return owner === null ? 'another process' : `${owner[1]} (process ${owner[2]})`;
}
