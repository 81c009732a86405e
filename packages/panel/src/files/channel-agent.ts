import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Opens a channel to the file program of an account. Rejects if the account or its server cannot be reached. */
export type OpenFilesChannel = () => Promise<Duplex>;

/** An unused channel costs a process on the server. */
const IDLE_MS = 3 * 60_000;
/** Requests that one user can have under way. More wait. */
const MOST_CHANNELS = 6;

interface ChannelOptions extends ClientRequestArgs {
  openChannel: OpenFilesChannel;
}

/**
 * Connections of `node:http` that are channels, kept for the next request of the same user. Each has a program of its own, which
 * serves one request after the other.
 */
export class ChannelAgent extends Agent {
  readonly #idleMs: number;
  readonly #mostChannels: number;
  readonly #turns = new Map<string, { taken: number; waiting: Set<() => void> }>();
  readonly #timers = new WeakMap<Duplex, NodeJS.Timeout>();

  constructor({ idleMs = IDLE_MS, mostChannels = MOST_CHANNELS } = {}) {
    super({ keepAlive: true, maxFreeSockets: 2, scheduling: 'lifo' });
    this.#idleMs = idleMs;
    this.#mostChannels = mostChannels;
  }

  /**
   * Waits until the session may have one more request under way. Resolves with what ends the turn. `maxSockets` of Node.js does not count
   * connections that are being opened.
   */
  async takeTurn(session: string, signal: AbortSignal): Promise<() => void> {
    const turns = this.#turns.get(session) ?? { taken: 0, waiting: new Set() };
    this.#turns.set(session, turns);
    if (turns.taken >= this.#mostChannels) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = () => reject(signal.reason);
      turns.waiting.add(resolve);
      signal.addEventListener('abort', leave, { once: true });
      try {
        await promise;
      } finally {
        turns.waiting.delete(resolve);
        signal.removeEventListener('abort', leave);
      }
    } else turns.taken += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const [next] = turns.waiting;
      if (next !== undefined) {
        turns.waiting.delete(next);
        next();
        return;
      }
      turns.taken -= 1;
      if (turns.taken === 0) this.#turns.delete(session);
    };
  }

  /** The pool of a request: its options name a user's session as the host. */
  override getName(options: ClientRequestArgs = {}): string {
    return `${options.host}`;
  }

  override createConnection(
    options: ClientRequestArgs,
    callback: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const { openChannel } = options as ChannelOptions;
    openChannel().then(
      (channel) => callback(null, asSocket(channel)),
      (error: unknown) => callback(error as Error, undefined as unknown as Duplex),
    );
    return undefined;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    this.#timers.set(socket, setTimeout(() => socket.destroy(), this.#idleMs).unref());
    return true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    clearTimeout(this.#timers.get(socket));
    super.reuseSocket(socket, request);
  }
}

/** `node:http` calls these on its connections. */
function asSocket(channel: Duplex): Socket {
  const socket = channel as Socket;
  // Its request knows of the error. An unused channel has nobody who wants to know.
  socket.on('error', () => {});
  for (const name of ['setTimeout', 'setKeepAlive', 'setNoDelay', 'ref', 'unref'] as const)
    if (typeof socket[name] !== 'function') Object.assign(socket, { [name]: () => socket });
  return socket;
}
