import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { API_PREFIX, type Endpoint, endpoints } from '@innkeeper/contract';
import { FILES_UPLOAD_PATH, UPLOAD_PATH } from '@innkeeper/panel';
import type { Hono } from 'hono';
import type { Config, ListenAddress } from '../../config.ts';
import type { Env } from '../env.ts';
import { jsonResponse } from '../json-response.ts';
import { serveWebSockets } from './web-sockets.ts';

export interface HttpListener {
  /** The address on which the server listens. The kernel chose the port if 0 was configured. */
  address: ListenAddress;
  /** Reloads the certificate. Open connections keep the old one. */
  reloadTls(): void;
  /** Stops accepting, and resolves when the last answer is sent. Cuts off remaining connections after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

/** Time for a request to arrive completely, unless it carries a file. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** The unread body of a refused request that the server still waits for. */
const SHORT_BODY_BYTES = 64 * 1024;
const SHORT_BODY_MS = 1_000;

/** Serves the API over HTTP, or over HTTPS if there is a certificate. Rejects if it cannot listen. */
export async function startHttp(
  app: Hono<Env>,
  config: Pick<Config, 'http' | 'httpTls' | 'uploads'>,
): Promise<HttpListener> {
  const answer = async (request: Request, exchange: HttpBindings) => {
    const response = await app.fetch(request, exchange);
    await endWithAnswer(exchange);
    return response;
  };
  const listener = getRequestListener((request, env) => answer(request, env as HttpBindings), {
    errorHandler: () => jsonResponse(400, { message: 'Bad Request' }),
  });
  const requestTimeout = Math.max(REQUEST_TIMEOUT_MS, config.uploads.timeoutMs + REQUEST_TIMEOUT_MS);
  const options = { requestTimeout, headersTimeout: HEADERS_TIMEOUT_MS };
  const { httpTls } = config;
  const server =
    httpTls === undefined
      ? createServer(options, listener)
      : createTlsServer({ ...options, ...readTls(httpTls) }, listener);
  const underWay = new Set<ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request) && !isUpload(request)) cutOffWhenLate(request);
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  const webSockets = serveWebSockets(server, app);
  await listen(server, config.http);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The HTTP server has no address.');
  return {
    address: { host: address.address, port: address.port },
    reloadTls: () => {
      if (httpTls !== undefined) (server as TlsServer).setSecureContext(readTls(httpTls));
    },
    close: async (deadlineMs) => {
      // The last answer of each connection closes it. Otherwise the client would keep it open and the server would wait
      // for it.
      for (const response of underWay) response.shouldKeepAlive = false;
      webSockets.stop();
      await close(server, deadlineMs);
    },
  };
}

const uploadPaths = [
  ...Object.values<Endpoint>(endpoints)
    .filter(({ upload }) => upload !== undefined)
    .map(({ path }) => new RegExp(`^${API_PREFIX}${path.replaceAll(/\{\w+\}/g, '[^/?]+')}/?(?:\\?|$)`)),
  UPLOAD_PATH,
  FILES_UPLOAD_PATH,
];

function isUpload({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'POST' || method === 'PUT') && uploadPaths.some((path) => path.test(url));
}

/** A request without a body has arrived with its headers. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Node.js has one limit for all requests, so it must allow the slowest. */
function cutOffWhenLate(request: IncomingMessage): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroySoon();
  }, REQUEST_TIMEOUT_MS);
  request.once('close', () => clearTimeout(timer));
}

/**
 * An unread body of a refused request would block the next request on its connection. The server reads a short one
 * before it answers: a client that is still writing when the connection closes gets an error instead of the answer.
 * Otherwise the connection closes soon after the answer, and the answer says so, because the client would send its next
 * request on that connection.
 */
async function endWithAnswer({ incoming, outgoing }: HttpBindings): Promise<void> {
  if (!hasBody(incoming) || incoming.complete) return;
  if (Number(incoming.headers['content-length']) <= SHORT_BODY_BYTES) await discardBody(incoming);
  if (!incoming.complete) outgoing.shouldKeepAlive = false;
}

/** Returns once the body has arrived, or after `SHORT_BODY_MS`. */
async function discardBody(incoming: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, SHORT_BODY_MS);
  for (const event of ['end', 'close', 'error']) incoming.once(event, resolve);
  incoming.resume();
  await promise;
  clearTimeout(timer);
}

function readTls({ certFile, keyFile }: NonNullable<Config['httpTls']>) {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile), minVersion: 'TLSv1.2' as const };
}

/** Rejects if the address is in use or does not belong to this machine. */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (cause) {
    throw new Error(`Cannot listen on ${host} port ${port}: ${(cause as Error).message}.`, { cause });
  }
  server.off('error', reject);
}

/** See `HttpListener.close`. Idle connections are closed at once. */
export async function close(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearTimeout(timer);
}
