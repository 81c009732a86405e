import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { type CertificateAuthority, type NodePeer, verifyPeer } from '@innkeeper/protocol/identity';
import type { Logger } from 'pino';
import type { ListenAddress, NodeConnectionLimits } from '../config.ts';
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts';
import type { NodeServerCertificate } from './grpc/certificate.ts';
import { networkOfPeer } from './peer-network.ts';

/** Of one identity. An agent has one; another while it reconnects or renews its certificate. */
const CONNECTIONS_OF_AN_IDENTITY = 8;
const LOGGED_EVERY_MS = 60_000;

export interface NodeListener {
  /** Returns the port, which is chosen where the address says 0. */
  listen(address: ListenAddress): Promise<number>;
  /** Accepts no more connections; those that are open stay. */
  stopAccepting(): void;
  destroyAll(): void;
}

export interface NodeListenerDeps {
  authority: CertificateAuthority;
  certificate: NodeServerCertificate;
  limits: NodeConnectionLimits;
  /** Takes a connection whose certificate is a node's. */
  serveAgent(connection: TLSSocket): void;
  /** Takes any other connection. */
  serveAnonymous(connection: TLSSocket): void;
  log: Pick<Logger, 'warn'>;
}

/**
 * The listener of port 8444. It ends TLS itself, so that it knows whether a connection showed a certificate before
 * HTTP/2 reads from it. Connections with and without one are counted apart: strangers take no place of an agent. In both
 * pools a newcomer gets a place and the oldest connection of the largest group loses it, so idle strangers do not
 * keep a handshake of an agent out either. What a caller may do is not decided here but for each call.
 */
export function createNodeListener(deps: NodeListenerDeps): NodeListener {
  const { authority, certificate, limits } = deps;
  const logCut = createCutLog(deps.log);
  const anonymous = createConnectionPool<Socket>(
    { total: limits.anonymous, perKey: limits.anonymousPerAddress },
    (address) => logCut({ kind: 'anonymous', address }),
  );
  const agents = createConnectionPool<Socket>(
    { total: limits.agents, perKey: CONNECTIONS_OF_AN_IDENTITY },
    (identity) => logCut({ kind: 'agent', identity }),
  );
  const accepted = new Map<string, { socket: Socket; timer: NodeJS.Timeout }>();

  const tls = ({ chainPem, keyPem }: NodeServerCertificate['current']) => ({
    ca: authority.certificatePem,
    cert: chainPem,
    key: keyPem,
    minVersion: 'TLSv1.3' as const,
  });
  const server = createServer({
    ...tls(certificate.current),
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  certificate.onRenewed((renewed) => server.setSecureContext(tls(renewed)));

  server.on('connection', (socket) => {
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const key = endsOf(socket);
    const timer = setTimeout(() => socket.destroy(), limits.anonymousTimeoutMs);
    accepted.set(key, { socket, timer });
    socket.once('close', () => {
      clearTimeout(timer);
      if (accepted.get(key)?.socket === socket) accepted.delete(key);
    });
    anonymous.add(networkOfPeer(socket.remoteAddress), socket);
  });
  server.on('secureConnection', (connection) => {
    // Errors of the peer's: without a listener they would end the process.
    connection.on('error', () => {});
    const below = accepted.get(endsOf(connection));
    if (below === undefined || connection.alpnProtocol !== 'h2') return void connection.destroy();
    const peer = peerOf(connection, authority);
    if (peer === undefined) return deps.serveAnonymous(connection);
    const { socket, timer } = below;
    clearTimeout(timer);
    anonymous.release(socket);
    agents.add(`node ${peer.nodeId}, epoch ${peer.issue.epoch}`, socket);
    deps.serveAgent(connection);
  });
  // A peer that fails the handshake: Node has closed the connection.
  server.on('tlsClientError', () => {});

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.on('error', (cause) => {
          deps.log.warn({ err: cause }, 'The listener of the node service failed.');
          reject(
            new Error(`The node service cannot listen on ${host} port ${port}: ${cause.message}`, { cause }),
          );
        });
        server.listen({ host, port }, () => {
          const bound = server.address();
          resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
        });
      }),
    stopAccepting: () => void server.close(),
    destroyAll: () => {
      for (const pool of [anonymous, agents] satisfies ConnectionPool<Socket>[]) pool.destroyAll();
    },
  };
}

/** What a TLS connection has in common with the socket below it, and with no other. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

function peerOf(connection: TLSSocket, authority: CertificateAuthority): NodePeer | undefined {
  if (!connection.authorized) return undefined;
  const verdict = verifyPeer(connection.getPeerX509Certificate()?.raw, authority);
  return 'refusal' in verdict ? undefined : verdict;
}

/** One line a minute at most, with the number of connections that were closed since the line before. */
function createCutLog(log: Pick<Logger, 'warn'>): (cut: Record<string, string>) => void {
  let closed = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (cut) => {
    closed += 1;
    if (performance.now() - loggedAt < LOGGED_EVERY_MS) return;
    log.warn(
      { ...cut, closed },
      'The node service reached its connection limit and closed the oldest connection for a new one.',
    );
    closed = 0;
    loggedAt = performance.now();
  };
}
