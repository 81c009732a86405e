import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AcceptSocket, BrowserSocket } from '@innkeeper/panel';
import type { Hono } from 'hono';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import type { Env } from '../env.ts';

/** Longest message of a browser: somebody pastes a text. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** A browser that answers no ping is gone. */
const PING_MS = 20_000;
/** Time to read what a browser sent before it went away. */
const UNREAD_MS = 500;
const GOING_AWAY = 1001;

export interface WebSockets {
  /** Closes all of them. */
  stop(): void;
}

/**
 * Serves WebSockets of the panel. The request goes through all steps of the app, as any other. A route that accepts it
 * calls `acceptSocket`; otherwise the answer of the app is sent, and the connection closes.
 */
export function serveWebSockets(server: Server, app: Hono<Env>): WebSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    clientTracking: true,
  });
  server.on('upgrade', (incoming: IncomingMessage, connection: Duplex, head: Buffer) => {
    connection.on('error', () => connection.destroy());
    void ask(app, incoming).then(({ use, answer }) => {
      if (connection.destroyed) return;
      if (use === undefined) return refuse(connection, answer);
      sockets.handleUpgrade(incoming, connection, head, (socket) => use(wrap(socket)));
    });
  });
  return {
    stop: () => {
      for (const socket of sockets.clients) socket.close(GOING_AWAY, 'The control plane restarts.');
    },
  };
}

interface Asked {
  answer: Response;
  /** Undefined: no route accepts it. */
  use: ((socket: BrowserSocket) => void) | undefined;
}

async function ask(app: Hono<Env>, incoming: IncomingMessage): Promise<Asked> {
  let use: Asked['use'];
  const acceptSocket: AcceptSocket = (wanted) => {
    use = wanted;
    return new Response();
  };
  try {
    const isWebSocket = incoming.headers.upgrade?.toLowerCase() === 'websocket' && incoming.method === 'GET';
    if (!isWebSocket) return { answer: new Response(null, { status: 400 }), use };
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`);
    const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const env = { incoming, outgoing: undefined, acceptSocket };
    const answer = await app.fetch(new Request(url, { headers }), env);
    return { answer, use: answer.status === 200 ? use : undefined };
  } catch {
    return { answer: new Response(null, { status: 400 }), use: undefined };
  }
}

function refuse(connection: Duplex, { status, headers }: Response): void {
  const location = headers.get('Location');
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Length: 0',
    ...(location === null ? [] : [`Location: ${location}`]),
  ];
  connection.end(`${lines.join('\r\n')}\r\n\r\n`);
}

function wrap(socket: WebSocket): BrowserSocket {
  let isAlive = true;
  const pings = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, PING_MS);
  socket.on('pong', () => {
    isAlive = true;
  });
  const stream = createWebSocketStream(socket, { readableObjectMode: true, decodeStrings: false });
  stream.on('error', () => {});
  // ws keeps the stream open for writing when the browser is gone. What it sent before is still read.
  stream.once('end', () => stream.destroy());
  socket.once('close', () => {
    clearInterval(pings);
    setTimeout(() => stream.destroy(), UNREAD_MS).unref();
  });
  return Object.assign(stream, {
    closeWith: (code: number, reason: string) => socket.close(code, reason),
  });
}
