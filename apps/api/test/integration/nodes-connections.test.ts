import { connect as connectHttp2, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { connectAsNode, connectSecurely, splitTarget } from '@innkeeper/protocol/client';
import type { NodeRequest } from '@innkeeper/protocol/wire';
import { type SimulatedNode, waitUntil } from '@innkeeper/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { type NodeServiceRig, startNodeServiceRig } from '../node-service-rig.ts';

const KiB = 1024;
const ENROLL = '/innkeeper.node.v1.NodeService/Enroll';

let rig: NodeServiceRig;
const sockets: Socket[] = [];
const start = async (limits: Parameters<typeof startNodeServiceRig>[0] = {}) => {
  rig = await startNodeServiceRig(limits);
};
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await rig.stop();
});

/** Opens a TCP connection that sends nothing. `from`: a loopback address. */
async function openTcp(from = '127.0.0.1'): Promise<Socket> {
  const socket = connectTcp({ ...splitTarget(rig.control), localAddress: from });
  sockets.push(socket);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

/** Opens a TLS connection without a client certificate and finishes its handshake. */
async function openTls(from?: string): Promise<TLSSocket> {
  const socket = connectTls({
    socket: await openTcp(from),
    ca: rig.keys.authority.certificatePem,
    checkServerIdentity: () => undefined,
    ALPNProtocols: ['h2'],
  });
  socket.on('error', () => {});
  await new Promise((resolve) => {
    socket.once('secureConnect', resolve);
    socket.once('close', resolve);
  });
  return socket;
}

/** Reads and discards all data, so that the end of the connection is noticed. */
const drained = async (opening: Promise<Socket>) => (await opening).resume();
const isOpen = (socket: Socket) => !socket.destroyed;

interface Answer {
  headers: IncomingHttpHeaders & IncomingHttpStatusHeader;
  closedWith: number;
}

/** Starts a call by hand on an HTTP/2 connection without a certificate, sends `body`, and does not end the request. */
async function callByHand(headers: Record<string, string>, body: Buffer): Promise<Answer> {
  const socket = await openTls();
  const session = connectHttp2(`https://${rig.control}`, { createConnection: () => socket });
  session.on('error', () => {});
  const stream = session.request({
    ':method': 'POST',
    ':path': ENROLL,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  const answer: Answer = { headers: {}, closedWith: 0 };
  stream.on('response', (received) => Object.assign(answer.headers, received));
  stream.on('error', () => {});
  stream.write(body);
  stream.resume();
  await new Promise((resolve) => {
    stream.once('end', resolve);
    stream.once('close', resolve);
  });
  answer.closedWith = stream.rstCode;
  session.destroy();
  return answer;
}

/** The 5-byte prefix of a gRPC message. */
function prefix(bytes: number, isCompressed = false): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(isCompressed ? 1 : 0, 0);
  head.writeUInt32BE(bytes, 1);
  return head;
}

const report = (node: SimulatedNode, message: string): NodeRequest<'ReportAccount'> => ({
  session_id: node.sessionId,
  account_id: '1',
  observed_generation: '1',
  outcome: 'failed',
  conditions: [{ type: 'spec', reason: 'Failed', message }],
  domains: [],
  databases: [],
  apps: [],
  driver_ms: {},
  next_pass_at: '0',
});

describe('a message of an unauthenticated peer', () => {
  it('a message of 65 KiB is refused from an unauthenticated peer, and accepted from a node', async () => {
    await start();
    const stranger = connectSecurely(rig.control, rig.keys.authority.certificatePem);
    const request = { join_token: 'x'.repeat(65 * KiB), csr_pem: '', nats_public_key: '' };
    await expect(stranger.call('Enroll', request, 5_000)).rejects.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
    });
    const shorter = { ...request, join_token: 'x'.repeat(60 * KiB) };
    await expect(stranger.call('Enroll', shorter, 5_000)).rejects.not.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
    });
    stranger.close();

    const node = await rig.startNode();
    await expect(
      node.call('ReportAccount', report(node, 'x'.repeat(3 * KiB * KiB))),
    ).rejects.not.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    await expect(node.call('ReportAccount', report(node, 'x'.repeat(5 * KiB * KiB)))).rejects.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
    });
  });

  it('a message of an unauthenticated peer is refused by its announced length, before it arrives', async () => {
    await start();
    const { headers } = await callByHand({}, prefix(64 * KiB + 1));
    expect(headers['grpc-status']).toBe(String(status.RESOURCE_EXHAUSTED));
  });

  it('a compressed message that exceeds the limit when it is decompressed is refused', async () => {
    await start();
    const bomb = gzipSync(Buffer.alloc(16 * KiB * KiB));
    const { headers } = await callByHand(
      { 'grpc-encoding': 'gzip' },
      Buffer.concat([prefix(bomb.length, true), bomb]),
    );
    expect(bomb.length).toBeLessThan(64 * KiB);
    expect(headers['grpc-status']).toBe(String(status.RESOURCE_EXHAUSTED));
  });

  it('a message with 100 KiB of headers gets no answer', async () => {
    await start();
    const large = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'y'.repeat(KiB)]),
    );
    const { headers, closedWith } = await callByHand(large, prefix(0));
    expect([headers['grpc-status'], closedWith]).not.toEqual([String(status.INVALID_ARGUMENT), 0]);
    expect(rig.logLines.filter(({ method }) => method === 'Enroll')).toEqual([]);
  });
});

it('an unauthenticated peer may have four concurrent calls on one connection', async () => {
  await start();
  const session = connectHttp2(`https://${rig.control}`, {
    ca: rig.keys.authority.certificatePem,
    checkServerIdentity: () => undefined,
  });
  await new Promise((resolve) => session.once('remoteSettings', resolve));
  expect(session.remoteSettings.maxConcurrentStreams).toBe(4);
  session.destroy();
});

describe('connections of unauthenticated peers', () => {
  it("idle unauthenticated connections keep no agent out and close no agent's connection", async () => {
    await start({ limits: { anonymous: 60, anonymousPerAddress: 40 } });
    const early = await rig.startNode();
    const peersOf = (node: SimulatedNode) =>
      new Set(rig.logLines.filter(({ node_id }) => node_id === node.id).map(({ peer }) => peer));
    const before = peersOf(early);

    const idle = [
      ...(await Promise.all(Array.from({ length: 100 }, () => drained(openTls())))),
      ...(await Promise.all(Array.from({ length: 50 }, () => drained(openTcp())))),
      ...(await Promise.all(
        Array.from({ length: 50 }, (_, index) => drained(openTcp(`127.0.1.${index + 1}`))),
      )),
    ];
    expect(idle).toHaveLength(200);
    await waitUntil('the surplus is closed', () => idle.filter(isOpen).length <= 60);

    const late = await rig.startNode();
    for (const node of [early, late])
      await node.call('Heartbeat', {
        session_id: node.sessionId,
        accounts: 0,
        accounts_failed: 0,
        warnings: [],
        figures: {},
        settings_generation: '0',
        settings_problem: '',
      });
    expect(peersOf(early)).toEqual(before);
    expect(rig.logLines.filter(({ message }) => message.includes('connection limit'))).toHaveLength(1);
  });

  it('an address has a limited number of connections: a new one closes its oldest, and no other address loses one', async () => {
    await start({ limits: { anonymous: 50, anonymousPerAddress: 5 } });
    const other = await drained(openTls('127.0.2.1'));
    const own: Socket[] = [];
    for (let opened = 0; opened < 12; opened++) own.push(await drained(openTls()));
    await waitUntil('the surplus is closed', () => own.filter(isOpen).length === 5);
    expect(own.map(isOpen)).toEqual([...Array(7).fill(false), ...Array(5).fill(true)]);
    expect(isOpen(other)).toBe(true);
  });

  it('unauthenticated handshakes and idle connections time out', async () => {
    await start({ limits: { anonymousTimeoutMs: 1_000 } });
    const startedAt = performance.now();
    const silent = await drained(openTcp());
    const slow = await drained(openTcp());
    // Sends the start of a ClientHello of 512 bytes, and then one byte at a time.
    slow.write(Buffer.from([22, 3, 1, 2, 0, 1]));
    const drip = setInterval(() => isOpen(slow) && slow.write(Buffer.alloc(1)), 100);
    const idle = await drained(openTls());
    const node = await rig.startNode();
    await waitUntil('the connections are closed', () => ![silent, slow, idle].some(isOpen), {
      timeoutMs: 5_000,
    });
    clearInterval(drip);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    await node.call('Heartbeat', {
      session_id: node.sessionId,
      accounts: 0,
      accounts_failed: 0,
      warnings: [],
      figures: {},
      settings_generation: '0',
      settings_problem: '',
    });
  });
});

it('an identity has at most eight connections, and no other node loses one', async () => {
  await start();
  const [node, other] = [await rig.startNode(), await rig.startNode()];
  const clients = Array.from({ length: 12 }, () => connectAsNode(node.identity));
  const states = () => clients.map(({ channel }) => channel.getConnectivityState(false));
  for (const client of clients)
    await client
      .call(
        'Heartbeat',
        {
          session_id: node.sessionId,
          accounts: 0,
          accounts_failed: 0,
          warnings: [],
          figures: {},
          settings_generation: '0',
          settings_problem: '',
        },
        5_000,
      )
      .catch(() => {});
  const READY = 2;
  await waitUntil('the surplus is closed', () => states().filter((state) => state === READY).length <= 8);
  await other.call('Heartbeat', {
    session_id: other.sessionId,
    accounts: 0,
    accounts_failed: 0,
    warnings: [],
    figures: {},
    settings_generation: '0',
    settings_problem: '',
  });
  for (const client of clients) client.close();
});
