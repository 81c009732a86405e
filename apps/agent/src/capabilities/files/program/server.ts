import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readWirePath, type WirePath } from '@innkeeper/domain';
import { FileFailure, failureOf, statusOf } from './file-failure.ts';
import type { Home } from './home.ts';
import { routes } from './routes.ts';

/** A path of 4 KiB is at most 12 KiB on the wire. */
const HEADER_MAX_BYTES = 64 * 1024;
/** What arrives during a write to the disk is written at once by the next one. */
const BUFFERED_BYTES = 512 * 1024;
const JSON_MAX_BYTES = 4 * 1024 * 1024;

/** One request: `<METHOD> /<operation>/<path>?<query>`. */
export interface FileRequest {
  readonly home: Home;
  readonly path: WirePath;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readable;
  /** Aborted when the other side is gone. */
  readonly signal: AbortSignal;
  /** The body as JSON. */
  json(): Promise<unknown>;
}

export interface FileAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly stream?: Readable;
}

/**
 * The file manager's program speaks HTTP/1.1 with the API over one stream, so that bodies, back-pressure, ranges and the end of a request
 * are those of Node.js. It serves one request after the other.
 */
export function createFileServer(home: Home): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_MAX_BYTES,
      highWaterMark: BUFFERED_BYTES,
      keepAliveTimeout: 0,
      requestTimeout: 0,
      headersTimeout: 0,
    },
    (request, response) => {
      answer(home, request, response).catch(() => response.destroy());
    },
  );
  server.timeout = 0;
  return server;
}

async function answer(home: Home, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    await send(response, await serve(home, request, gone.signal), request.method === 'HEAD');
  } catch (error) {
    if (response.headersSent) {
      // The other side must not take a part for the whole.
      response.destroy();
      return;
    }
    const failure = failureOf(error);
    const { detail, offset } = failure;
    await send(response, {
      status: statusOf(failure),
      // The rest of the body would otherwise be read before the next request.
      ...(request.complete ? {} : { headers: { Connection: 'close' } }),
      json: { failure: failure.failure, detail, offset },
    });
  }
}

async function serve(home: Home, request: IncomingMessage, signal: AbortSignal): Promise<FileAnswer> {
  const [target = '', query = ''] = (request.url ?? '').split('?');
  const [, operation = '', rest = ''] = /^\/([a-z-]+)(?:\/(.*))?$/.exec(target) ?? [];
  const path = readWirePath(rest);
  const route = routes[`${request.method === 'HEAD' ? 'GET' : request.method} ${operation}`];
  if (route === undefined || path === undefined) throw new FileFailure('invalid');
  return await route({
    home,
    path,
    query: new URLSearchParams(query),
    headers: request.headers,
    body: request,
    signal,
    json: () => readJson(request),
  });
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > JSON_MAX_BYTES) throw new FileFailure('too_large');
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new FileFailure('invalid');
  }
}

async function send(
  response: ServerResponse,
  { status = 200, headers = {}, json, stream }: FileAnswer,
  isHead = false,
): Promise<void> {
  if (stream === undefined) {
    const text = json === undefined ? '' : JSON.stringify(json);
    response.writeHead(status, { 'Content-Length': Buffer.byteLength(text), ...headers });
    response.end(isHead ? undefined : text);
    return;
  }
  response.writeHead(status, headers);
  if (!isHead) return await pipeline(stream, response);
  stream.destroy();
  response.end();
}
