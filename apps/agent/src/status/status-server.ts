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
  /** Called for each request; also brings the gauges up to date. */
  status: () => AgentStatus;
}

/** For a client that connects and says nothing, ms. */
export const HEADERS_TIMEOUT_MS = 2_000;

/**
 * Serves /status, /metrics, /healthz and /readyz on a Unix socket that root alone may connect to: no connection of a
 * tenant counts here. It only answers questions. Throws when another agent answers there.
 */
export async function startStatusServer(path: string, deps: StatusDeps): Promise<StatusServer> {
  if (await answers(path))
    throw new Error(`Another agent already runs on this server and answers at ${path}.`);
  await rm(path, { force: true });
  const server = createServer((request, response) => answer(request, response, deps, ['/status']));
  limit(server);
  // Nobody else may connect from the moment when the socket is there.
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

/** Answers a request, about metrics and health for all servers, and of these paths besides. */
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

/** How long a request and its connection may take, and how many there may be. */
export function limit(
  server: Pick<Server, 'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout' | 'maxConnections'>,
): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = 5_000;
  server.keepAliveTimeout = 5_000;
  server.maxConnections = 64;
}

export async function closeServer(
  server: Pick<Server, 'close' | 'closeAllConnections' | 'once'>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Whether somebody listens at a socket: one that a killed agent left behind refuses connections. */
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
