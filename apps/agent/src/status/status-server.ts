import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AgentStatus } from './agent-status.ts';
import type { Metrics } from './metrics.ts';

export interface StatusServer {
  close(): Promise<void>;
}

export interface StatusDeps {
  metrics: Metrics;
  /** Called for each request. It also updates the gauges. */
  status: () => AgentStatus;
}

/** Timeout for a client that connects and sends nothing, in ms. */
export const HEADERS_TIMEOUT_MS = 2_000;

/** Limits of the duration of requests and connections, in ms. */
export const TIMEOUTS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  // Node.js applies the first two limits at this interval. Its default is 30 s.
  connectionsCheckingInterval: 1_000,
} as const;

export const MAX_CONNECTIONS = 64;

/**
 * Serves /status, /metrics, /healthz and /readyz on a Unix socket that only root can connect to, so tenants cannot use
 * up its connections. Read-only. Throws when another agent answers on the socket.
 */
export async function startStatusServer(path: string, deps: StatusDeps): Promise<StatusServer> {
  if (await answers(path))
    throw new Error(`Another agent already runs on this server and answers at ${path}.`);
  await rm(path, { force: true });
  const server = createServer(TIMEOUTS, (request, response) => answer(request, response, deps, ['/status']));
  server.maxConnections = MAX_CONNECTIONS;
  // No other user may connect from the moment when the socket exists.
  const before = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
  await chmod(path, 0o600);
  return { close: () => closeServer(server) };
}

/** Answers a request. /metrics and the health checks exist on every server; `more` lists further paths of this one. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  deps: StatusDeps,
  more: readonly '/status'[] = [],
): void {
  const say = (status: number, type: string, body: string) => {
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  const json = (status: number, body: unknown) =>
    say(status, 'application/json', `${JSON.stringify(body)}\n`);
  const known = ['/healthz', '/readyz', '/metrics', ...more];
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    json(405, { message: 'Only GET and HEAD are allowed.' });
  } else if (!known.includes(request.url ?? '')) {
    json(404, { message: `Known paths: ${known.join(', ')}.` });
  } else if (request.url === '/healthz') {
    json(200, { status: 'ok' });
  } else {
    const status = deps.status();
    if (request.url === '/status') json(200, status);
    else if (request.url === '/readyz')
      json(status.ready ? 200 : 503, { ready: status.ready, reasons: status.reasons });
    else
      deps.metrics.registry.metrics().then(
        (text) => say(200, deps.metrics.registry.contentType, text),
        () => json(500, { message: 'The metrics could not be collected.' }),
      );
  }
}

export async function closeServer(
  server: Pick<Server, 'close' | 'closeAllConnections' | 'once'>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Returns whether a process listens on the socket. A socket left behind by a killed agent refuses connections. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
