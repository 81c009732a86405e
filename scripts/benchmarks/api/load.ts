/**
 * The load of `scripts/bench api`, in its own process: keeps several connections busy for a while and prints the
 * results as JSON. Reads a LoadOrder as JSON from standard input. It has its own HTTP/1.1 client, because its CPU time
 * is taken from the database beside it.
 */
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { percentile } from '../statistics.ts';

/** The header that identifies the caller. */
export interface Caller {
  header: 'Authorization' | 'Cookie' | 'X-Forwarded-For';
  value: string;
}

export interface LoadOrder {
  port: number;
  connections: number;
  /** Number of answers before the measured ones: the runtime compiles a function after some thousand calls. */
  warmUpRequests: number;
  measuredMs: number;
  /** Sent in turn. Each connection starts at a different request. */
  requests: readonly { method: string; path: string; body?: string }[];
  /** Used in turn, one per request, so that no caller reaches its rate limit. */
  callers: readonly Caller[];
}

export interface LoadResult {
  /** All answered requests, including the warm-up. */
  answered: number;
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

class Connection {
  readonly #order: LoadOrder;
  readonly #send: (request: string) => void;
  #turn: number;
  #sentAt = 0;
  #received = Buffer.alloc(0);
  answered = 0;
  measured: number[] = [];
  isMeasuring = false;
  isOver = false;

  constructor(order: LoadOrder, index: number, onEnd: (error?: Error) => void) {
    this.#order = order;
    this.#turn = index * 97;
    const socket = connect({ host: '127.0.0.1', port: order.port, noDelay: true });
    this.#send = (request) => void socket.write(request);
    socket.once('connect', () => this.#ask());
    socket.once('error', onEnd);
    socket.once('close', () => onEnd(this.isOver ? undefined : new Error('A connection was closed.')));
    socket.on('data', (chunk) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      const status = takeAnswer(this.#received);
      if (status === undefined) return;
      if (status < 200 || status > 299)
        return void socket.destroy(new Error(`${status}: ${this.#received.subarray(0, 2_000)}`));
      this.#received = Buffer.alloc(0);
      this.answered += 1;
      if (this.isMeasuring) this.measured.push(performance.now() - this.#sentAt);
      if (this.isOver) socket.end();
      else this.#ask();
    });
  }

  #ask(): void {
    const { requests, callers } = this.#order;
    const request = requests[this.#turn % requests.length];
    const caller = callers[this.#turn % callers.length];
    this.#turn += 1;
    if (request === undefined || caller === undefined) throw new Error('There is nothing to ask.');
    const { method, path, body } = request;
    const content =
      body === undefined
        ? '\r\n'
        : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    this.#sentAt = performance.now();
    this.#send(
      `${method} ${path} HTTP/1.1\r\nHost: bench\r\n${caller.header}: ${caller.value}\r\n${content}`,
    );
  }
}

/** Returns the status of a complete answer, else undefined. */
function takeAnswer(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer without a length: ${head}`);
  return received.length < headEnd + 4 + Number(length) ? undefined : Number(head.slice(9, 12));
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let open = order.connections;
  const connections = Array.from(
    { length: order.connections },
    (_, index) =>
      new Connection(order, index, (error) => {
        if (error !== undefined) reject(error);
        open -= 1;
        if (open === 0) resolve();
      }),
  );
  const set = (change: Partial<Pick<Connection, 'isMeasuring' | 'isOver'>>) => {
    for (const connection of connections) Object.assign(connection, change);
  };
  const answered = () => connections.reduce((sum, connection) => sum + connection.answered, 0);
  const isWarm = setInterval(() => {
    if (answered() < order.warmUpRequests) return;
    clearInterval(isWarm);
    set({ isMeasuring: true });
    setTimeout(() => set({ isMeasuring: false, isOver: true }), order.measuredMs);
  }, 10);
  await ended.finally(() => clearInterval(isWarm));
  const measured = connections.flatMap((connection) => connection.measured);
  return {
    answered: answered(),
    requestsPerSecond: (measured.length / order.measuredMs) * 1_000,
    p50: percentile(measured, 50),
    p99: percentile(measured, 99),
  };
}

if (import.meta.main) console.log(JSON.stringify(await run((await json(process.stdin)) as LoadOrder)));
