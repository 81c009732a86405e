import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { canonicalAddress, isAccountUid } from '@innkeeper/domain';
import { PeerUids } from './peer-uid.ts';
import {
  answer,
  closeServer,
  HEADERS_TIMEOUT_MS,
  MAX_CONNECTIONS,
  type StatusDeps,
  TIMEOUTS,
} from './status-server.ts';

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** In PEM format. */
export interface MetricsTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Maximum number of connections that wait concurrently for the lookup of their uid, which takes some milliseconds. */
const UNKNOWN_AT_A_TIME = 1_024;
const OF_ONE_ADDRESS = 8;

/**
 * Serves /metrics, /healthz and /readyz on a loopback address to the users with these uids. Tenants reach the loopback
 * address too: a connection of any other user is closed before it counts against the limit. Rejects when the address
 * cannot be listened on.
 */
export async function startLocalMetrics(
  address: string,
  deps: StatusDeps & { readonly readers: ReadonlySet<number>; readonly peers?: Pick<PeerUids, 'of'> },
): Promise<MetricsServer> {
  const { readers, peers = new PeerUids() } = deps;
  // Node.js applies `TIMEOUTS` only on a server that listens itself, so each request head gets a timer here.
  const heads = new WeakMap<Socket, NodeJS.Timeout>();
  const awaitHead = (socket: Socket, timeoutMs: number) => {
    clearTimeout(heads.get(socket));
    heads.set(socket, setTimeout(() => socket.destroy(), timeoutMs).unref());
  };
  const http = createServer(TIMEOUTS, (request, response) => {
    const { socket } = request;
    clearTimeout(heads.get(socket));
    response.once('finish', () => awaitHead(socket, TIMEOUTS.keepAliveTimeout + HEADERS_TIMEOUT_MS));
    answer(request, response, deps);
  });
  http.maxConnections = MAX_CONNECTIONS;
  const admitted = new Set<Socket>();
  const server = createTcpServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    peers.of(socket).then(
      (uid) => {
        if (uid === undefined || !readers.has(uid) || admitted.size >= http.maxConnections)
          return void socket.destroy();
        admitted.add(socket);
        awaitHead(socket, HEADERS_TIMEOUT_MS);
        socket.once('close', () => {
          clearTimeout(heads.get(socket));
          admitted.delete(socket);
        });
        http.emit('connection', socket);
        socket.resume();
      },
      () => socket.destroy(),
    );
  });
  server.maxConnections = UNKNOWN_AT_A_TIME;
  server.listen(hostAndPort(address));
  await once(server, 'listening');
  return {
    port: portOf(server.address()),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of admitted) socket.destroy();
      await closed;
    },
  };
}

/**
 * Serves the same paths on any address, over TLS, to clients with a certificate signed by `tls.ca`. Accounts of this
 * server cannot connect, even with a certificate. Rejects when the address cannot be listened on.
 */
export async function startRemoteMetrics(
  address: string,
  deps: StatusDeps & { readonly tls: MetricsTls; readonly peers?: Pick<PeerUids, 'of'> },
): Promise<MetricsServer & { renew(tls: MetricsTls): void }> {
  const { tls, peers = new PeerUids() } = deps;
  const options = {
    ...TIMEOUTS,
    ...tls,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    handshakeTimeout: HEADERS_TIMEOUT_MS,
  } as const;
  const server: TlsServer = createTlsServer(options, (request, response) => answer(request, response, deps));
  server.maxConnections = MAX_CONNECTIONS;
  const byAddress = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const count = (byAddress.get(remoteAddress) ?? 0) + 1;
    byAddress.set(remoteAddress, count);
    socket.once('close', () => {
      const left = (byAddress.get(remoteAddress) ?? 1) - 1;
      if (left === 0) byAddress.delete(remoteAddress);
      else byAddress.set(remoteAddress, left);
    });
    if (count > OF_ONE_ADDRESS) return void socket.destroy();
    if (!isOwnAddress(remoteAddress)) return;
    peers.of(socket).then(
      (uid) => {
        if (uid === undefined || isAccountUid(uid)) socket.destroy();
      },
      () => socket.destroy(),
    );
  });
  server.listen(hostAndPort(address));
  await once(server, 'listening');
  return {
    port: portOf(server.address()),
    renew: (renewed) => server.setSecureContext(renewed),
    close: () => closeServer(server),
  };
}

function isOwnAddress(text: string): boolean {
  const address = canonicalAddress(text.replace(/%.*$/, '')) ?? text;
  if (address.startsWith('127.') || address === '::1') return true;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some((candidate) => canonicalAddress(candidate.address) === address);
}

function hostAndPort(address: string): { host: string; port: number } {
  const separator = address.lastIndexOf(':');
  return {
    host: address.slice(0, separator).replace(/^\[|\]$/g, ''),
    port: Number(address.slice(separator + 1)),
  };
}

function portOf(address: ReturnType<ReturnType<typeof createTcpServer>['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
