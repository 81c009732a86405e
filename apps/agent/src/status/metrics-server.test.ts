import { request as requestTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import {
  createCertificateAuthority,
  generatePrivateKeyPem,
  loadCertificateAuthority,
  makeCsr,
  signNodeCertificate,
  signServerCertificate,
} from '@innkeeper/protocol/identity';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startRig } from '../../test/agent-rig.ts';
import { type MetricsServer, startLocalMetrics, startRemoteMetrics } from './metrics-server.ts';

const TENANT = 20_001;
let rig: Awaited<ReturnType<typeof startRig>>;
let server: MetricsServer;
/** Uid of the peer of the next connections. */
let peer: number | undefined;

const deps = () => ({
  metrics: rig.metrics,
  status: () => rig.agent.status(),
  peers: { of: async (_socket: Socket) => peer },
});

beforeEach(async () => {
  rig = await startRig();
  peer = 0;
  server = await startLocalMetrics('127.0.0.1:0', { ...deps(), readers: new Set([0, 110]) });
});

afterEach(() => server.close());

const scrape = () =>
  fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => 'refused' as const,
  );

test('only root and the configured user read metrics', async () => {
  for (const [uid, answer] of [
    [0, 200],
    [110, 200],
    [TENANT, 'refused'],
    [33, 'refused'],
    [undefined, 'refused'],
  ] as const) {
    peer = uid;
    expect(await scrape()).toBe(answer);
  }
});

test('does not serve the status', async () => {
  expect((await fetch(`http://127.0.0.1:${server.port}/status`)).status).toBe(404);
});

test('idle connections of a tenant block nobody', async () => {
  peer = TENANT;
  const idle = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      await new Promise((resolve) => socket.once('close', resolve));
      return socket.destroyed;
    }),
  );
  expect(idle).toHaveLength(200);
  peer = 0;
  expect(await scrape()).toBe(200);
});

test('closes the connection of a reader that sends nothing, or a request that never ends', async () => {
  const closed = ['', 'GET /metrics HTTP/1.1\r\nHost: '].map(async (sent) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    socket.write(sent);
    const more = sent === '' ? undefined : setInterval(() => socket.write('a'), 100);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(more);
  });
  await Promise.all(closed);
});

type Made = Awaited<ReturnType<typeof createCertificateAuthority>>;
const load = ({ certificatePem, keyPem }: Made) => loadCertificateAuthority(certificatePem, keyPem);

/** Certificate and key of a metrics server. */
async function serverOf(authority: Made) {
  const hosts = ['127.0.0.1'];
  const { chainPem, keyPem } = await signServerCertificate(load(authority), { hosts, lifetimeMs: 3_600_000 });
  return { cert: chainPem, key: keyPem };
}

/** Certificate and key of a metrics client. */
async function clientOf(authority: Made) {
  const key = generatePrivateKeyPem();
  const csrPem = await makeCsr(key);
  return { cert: (await signNodeCertificate(load(authority), { csrPem, nodeId: 1 })).certificatePem, key };
}

test('over TLS, clients with the authority’s certificate read metrics, and no account of this server', async () => {
  const [authority, other] = await Promise.all([createCertificateAuthority(), createCertificateAuthority()]);
  const ca = authority.certificatePem;
  const own = await clientOf(authority);
  const remote = await startRemoteMetrics('127.0.0.1:0', {
    ...deps(),
    tls: { ca, ...(await serverOf(authority)) },
  });
  onTestFinished(() => remote.close());
  const ask = (identity: object) =>
    new Promise((resolve) => {
      const options = {
        host: '127.0.0.1',
        port: remote.port,
        path: '/metrics',
        ca,
        agent: false,
        ...identity,
      };
      const asked = requestTls(options, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', () => resolve('refused'));
      asked.end();
    });
  expect(await ask(own)).toBe(200);
  expect(await ask({})).toBe('refused');
  expect(await ask(await clientOf(other))).toBe('refused');
  peer = TENANT;
  expect(await ask(own)).toBe('refused');
});
