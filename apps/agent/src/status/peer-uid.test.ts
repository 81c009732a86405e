import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PeerUids } from './peer-uid.ts';

async function accepted(listenAt: string, from: string): Promise<Socket> {
  const server: Server = createServer();
  const connection = new Promise<Socket>((resolve) => server.once('connection', resolve));
  await new Promise<void>((resolve) => server.listen(0, listenAt, resolve));
  const address = server.address();
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0, from);
  const socket = await connection;
  onTestFinished(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  return socket;
}

test('finds this process’s uid for a local connection', async () => {
  const uids = new PeerUids();
  expect(await uids.of(await accepted('127.0.0.1', '127.0.0.1'))).toBe(process.getuid?.());
  expect(await uids.of(await accepted('::', '127.0.0.1'))).toBe(process.getuid?.());
});

const ends = { address: '127.0.0.1', port: 9465, peerAddress: '127.0.0.1', peerPort: 50_000 };
/** A line of /proc/net/tcp with the ports 50000 and 9465. */
const line = (state: string, uid: number, inode: number, prefix = '') =>
  `   0: ${prefix}0100007F:C350 ${prefix}0100007F:24F9 ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1\n`;

function tables(tcp: string, tcp6 = ''): PeerUids {
  const folder = mkdtempSync(path.join(tmpdir(), 'innkeeper-net-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const header =
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
  writeFileSync(path.join(folder, 'tcp'), header + tcp);
  writeFileSync(path.join(folder, 'tcp6'), header + tcp6);
  return new PeerUids(folder);
}

test('finds a tenant’s uid for every kind of socket', async () => {
  expect(await tables(line('01', 20_001, 7)).find(ends)).toBe(20_001);
  expect(await tables('', line('01', 20_001, 7, '0000000000000000FFFF0000')).find(ends)).toBe(20_001);
});

test('does not take a closed connection for root’s', async () => {
  expect(await tables(line('01', 0, 0)).find(ends)).toBeUndefined();
  expect(await tables(line('06', 0, 0)).find(ends)).toBeUndefined();
  expect(await tables(line('01', 0, 7)).find({ ...ends, peerPort: 50_001 })).toBeUndefined();
});
