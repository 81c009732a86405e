import { setTimeout as delay } from 'node:timers/promises';
import { readNatsCredentials } from '@innkeeper/protocol/keys';
import { connect, credsAuthenticator, errors, type Msg, type NatsConnection, nuid } from 'nats';
import type { Logger } from 'pino';

/** The doorbell. Everything sent may be lost, and nothing here ever throws because NATS is away. */
export interface Queue {
  isConnected(): boolean;
  /** Whether the message was handed to a connected server. */
  publish(subject: string, message: object): boolean;
  /** Asks a question that one subscriber answers, on a subject of its own below `replyPrefix`. Ends in time, and never rejects. */
  ask(subject: string, question: object, options: AskOptions): Promise<Reply>;
  /** Calls `hear` with every JSON message, whenever there is a connection. */
  subscribe(subject: string, hear: (message: unknown) => void): void;
  close(): Promise<void>;
}

interface AskOptions {
  replyPrefix: string;
  timeoutMs: number;
}

/**
 * `away`: nobody listens, or NATS is not connected, which is known at once. `silent`: nobody answered in time.
 * `unreadable`: what came is no JSON.
 */
type Reply = { outcome: 'answered'; message: unknown } | { outcome: 'away' | 'silent' | 'unreadable' };

interface Subscription {
  subject: string;
  hear: (message: unknown) => void;
}

const RETRY_MS = 1_000;

/**
 * Keeps a connection to NATS: starts without one, and tries for ever. TLS is verified against the key
 * folder's CA; a `nats://` URL is a connection without it, for tests.
 */
export function openQueue(options: {
  url: string;
  keysDir: string;
  /** Connected, the first time or again. Must not throw. */
  onConnected?: () => void;
  logger: Logger;
}): Queue {
  const { url, keysDir, onConnected, logger } = options;
  const subscriptions: Subscription[] = [];
  const closing = new AbortController();
  let connection: NatsConnection | undefined;
  let connected = false;

  const say = (now: boolean, cause?: unknown): void => {
    if (now === connected && cause === undefined) return;
    connected = now;
    if (now) {
      logger.info('NATS is connected');
      onConnected?.();
    } else logger.warn({ err: cause }, 'NATS is not connected: nodes get no wakes and poll instead');
  };

  const keepConnected = async (): Promise<void> => {
    let reported = false;
    while (!closing.signal.aborted) {
      try {
        connection = await dial(url, keysDir);
        if (closing.signal.aborted) return await connection.close();
        reported = false;
        say(true);
        for (const subscription of subscriptions) listen(connection, subscription, logger);
        void followStatus(connection, say);
        const error = await connection.closed();
        if (!closing.signal.aborted) say(false, error);
      } catch (error) {
        if (!reported) say(false, error);
        reported = true;
      }
      connected = false;
      await delay(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  };
  void keepConnected();

  return {
    isConnected: () => connected,
    publish: (subject, message) => {
      if (!connected || connection === undefined || connection.isClosed()) return false;
      connection.publish(subject, JSON.stringify(message));
      return true;
    },
    ask: async (subject, question, options) =>
      !connected || connection === undefined || connection.isClosed()
        ? { outcome: 'away' }
        : await askOver(connection, subject, question, options),
    subscribe: (subject, hear) => {
      const subscription = { subject, hear };
      subscriptions.push(subscription);
      if (connection !== undefined && !connection.isClosed()) listen(connection, subscription, logger);
    },
    close: async () => {
      closing.abort();
      connected = false;
      await connection?.close();
    },
  };
}

async function dial(url: string, keysDir: string): Promise<NatsConnection> {
  const { credentials, caPem } = readNatsCredentials(keysDir);
  return await connect({
    servers: url,
    name: 'innkeeper-api',
    timeout: 5_000,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    ignoreAuthErrorAbort: true,
    pingInterval: 10_000,
    authenticator: credsAuthenticator(credentials),
    tls: url.startsWith('tls:') ? { ca: caPem } : null,
  });
}

async function followStatus(connection: NatsConnection, say: (now: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') say(false);
    if (status.type === 'reconnect') say(true);
  }
}

function listen(connection: NatsConnection, { subject, hear }: Subscription, logger: Logger): void {
  connection.subscribe(subject, {
    callback: (error, message) => {
      try {
        if (error !== null) throw error;
        hear(message.json());
      } catch (cause) {
        logger.warn({ err: cause, subject }, 'a NATS message is invalid');
      }
    },
  });
}

/**
 * A reply subject for each question: a node may publish below its own prefix and nowhere else, so that no
 * inbox is shared. The library's own timer ends with the connection, so another one stands beside it.
 */
async function askOver(
  connection: NatsConnection,
  subject: string,
  question: object,
  { replyPrefix, timeoutMs }: AskOptions,
): Promise<Reply> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs);
  try {
    const reply = `${replyPrefix}.${nuid.next()}`;
    const asked = connection.request(subject, JSON.stringify(question), {
      noMux: true,
      reply,
      timeout: timeoutMs,
    });
    const message = await Promise.race([asked, tooLate]);
    return message === undefined ? { outcome: 'silent' } : readReply(message);
  } catch (error) {
    return { outcome: error instanceof errors.TimeoutError ? 'silent' : 'away' };
  } finally {
    clearTimeout(timer);
  }
}

function readReply(message: Msg): Reply {
  try {
    return { outcome: 'answered', message: message.json() };
  } catch {
    return { outcome: 'unreadable' };
  }
}
