import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { folderStream, type Guest } from '../boxes/guest.ts';

const TIMEOUT_MS = 240_000;
const RECEIVE = [
  ...['bash', '-o', 'pipefail', '-c'],
  'mkdir -p -- "$2" && curl -sSf "$1" | tar -C "$2" -xf - --strip-components=1 --no-same-owner',
  'receive',
];

/**
 * Copies a folder of this machine into a guest over HTTP, on the bridge. Over SSH an emulated processor would spend most
 * of the time with decryption. `address` is this machine's on the bridge.
 */
export async function sendFolder(
  guest: Pick<Guest, 'require'>,
  address: string,
  hostPath: string,
  guestPath: string,
): Promise<void> {
  const path = `/${randomUUID()}`;
  const server = createServer((request, response) => {
    if (request.url !== path) response.writeHead(404).end();
    else pipeline(folderStream(hostPath), response).catch(() => response.destroy());
  });
  server.listen(0, address);
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const url = `http://${address}:${port}${path}`;
    await guest.require([...RECEIVE, url, guestPath], { timeoutMs: TIMEOUT_MS });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
