import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isGitServerAway } from './git-server-away.ts';

/** Starts a server on loopback that calls `serve` for each connection; returns its port. */
async function listen(serve: (socket: import('node:net').Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const isAway = (repository: string, port: number) =>
  isGitServerAway(repository, { host: '127.0.0.1', address: '127.0.0.1', port }, 500);
const ssh = (port: number) => isAway(`ssh://git@127.0.0.1:${port}/a.git`, port);
const https = (port: number) => isAway(`https://127.0.0.1:${port}/a.git`, port);

test('an SSH server that answers is reachable, even if it rejects the key', async () => {
  expect(await ssh(await listen((socket) => socket.write('SSH-2.0-test\r\n')))).toBe(false);
});

test('a server that refuses, closes or ignores a connection is unreachable', async () => {
  const port = await listen((socket) => socket.end());
  expect([await ssh(port), await https(port)]).toEqual([true, true]);
  expect(await ssh(await listen(() => {}))).toBe(true);
  expect([await ssh(1), await https(1)]).toEqual([true, true]);
});

test('an HTTPS server with an invalid certificate is not retried as unreachable', async () => {
  const port = await listen((socket) => socket.end('HTTP/1.0 503 No\r\n\r\n'));
  expect(await https(port)).toBe(false);
});
