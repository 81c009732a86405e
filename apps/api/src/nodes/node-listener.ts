import type { Socket } from 'node:net';
import { createServer, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { type CertificateAuthority, type NodePeer, verifyPeer } from '@innkeeper/protocol/identity';
import type { Logger } from 'pino';
import type { ListenAddress, NodeConnectionLimits } from '../config.ts';
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts';
import type { NodeServerCertificate } from './grpc/certificate.ts';
import { networkOfPeer } from './peer-network.ts';

/** Connections per identity. An agent has one, and a second one while it reconnects or renews its certificate. */
const CONNECTIONS_OF_AN_IDENTITY = 8;
const LOGGED_EVERY_MS = 60_000;

export interface NodeListener {
  /** Listens and returns the port. The kernel chooses it if the address has port 0. */
  listen(address: ListenAddress): Promise<number>;
  /** Accepts no more connections. Open connections stay open. */
  stopAccepting(): void;
  destroyAll(): void;
}

export interface NodeListenerDeps {
  authority: CertificateAuthority;
  certificate: NodeServerCertificate;
  limits: NodeConnectionLimits;
  /** Takes a connection with a node certificate. */
  serveAgent(connection: TLSSocket): void;
  /** Takes any other connection. */
  serveAnonymous(connection: TLSSocket): void;
  log: Pick<Logger, 'warn'>;
}

/**
 * The listener of port 8444. It terminates TLS itself, so it knows whether a connection presented a certificate before
 * HTTP/2 reads from it. Connections with and without a certificate are counted separately: untrusted clients take no
 * place of an agent. In both pools a new connection always gets a place, and the oldest connection of the largest group
 * is closed. So idle untrusted connections do not block the handshake of an agent either. Authorization happens for
 * each call, not here.
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
    // Without an error listener, errors of the peer would end the process.
    connection.on('error', () => {});
    const below = accepted.get(endsOf(connection));
    if (below === undefined || connection.alpnProtocol !== 'h2') return void connection.destroy();
    const peer = peerOf(connection, authority);
    if (peer === undefined) return deps.serveAnonymous(connection);
    const { socket, timer } = below;
    clearTimeout(timer);
    anonymous.release(socket);
    agents.add(`node ${peer.nodeId}, epoch ${peer.issue.epoch}`, socket);
    keepCertificate(connection);
    deps.serveAgent(connection);
  });
  // The peer failed the handshake. Node.js has closed the connection.
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

/** Returns a key that a TLS connection shares only with the socket below it. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

function peerOf(connection: TLSSocket, authority: CertificateAuthority): NodePeer | undefined {
  if (!connection.authorized) return undefined;
  const verdict = verifyPeer(connection.getPeerX509Certificate()?.raw, authority);
  return 'refusal' in verdict ? undefined : verdict;
}

/**
 * grpc-js reads the certificate for each call, and Node.js then decodes all of it. TLS 1.3 has no renegotiation, so a
 * connection has one certificate.
 */
function keepCertificate(connection: TLSSocket): void {
  const certificate = connection.getPeerCertificate();
  connection.getPeerCertificate = () => certificate as DetailedPeerCertificate;
}

/** Logs at most one line per minute, with the number of connections closed since the last line. */
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
