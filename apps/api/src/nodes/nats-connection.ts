import { setTimeout as delay } from 'node:timers/promises';
import { readNatsCredentials } from '@innkeeper/protocol/keys';
import { connect, credsAuthenticator, errors, type Msg, type NatsConnection, nuid } from 'nats';
import type { Logger } from 'pino';

/** The connection for hints. Every message may be lost, and nothing here ever throws because NATS is unavailable. */
export interface Queue {
  isConnected(): boolean;
  /**
   * Sends a message with the others of this turn of the event loop, in one write to the socket. Returns whether there is
   * a connection.
   */
  publish(subject: string, message: object): boolean;
  /**
   * Sends a question that one subscriber answers, on a reply subject of its own below `replyPrefix`. Ends within the
   * timeout, and never rejects.
   */
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
 * `away`: there is no subscriber, or NATS is not connected; both are known at once. `silent`: timeout. `unreadable`:
 * the answer is not JSON.
 */
type Reply = { outcome: 'answered'; message: unknown } | { outcome: 'away' | 'silent' | 'unreadable' };

interface Subscription {
  subject: string;
  hear: (message: unknown) => void;
}

const RETRY_MS = 1_000;

/**
 * Keeps a connection to NATS: starts without one, and retries forever. TLS is verified against the CA of the key
 * folder. A `nats://` URL is a connection without TLS, for tests.
 */
export function openQueue(options: {
  url: string;
  keysDir: string;
  /** Called after each connect and reconnect. Must not throw. */
  onConnected?: () => void;
  logger: Logger;
}): Queue {
  const { url, keysDir, onConnected, logger } = options;
  const subscriptions: Subscription[] = [];
  const closing = new AbortController();
  let connection: NatsConnection | undefined;
  let connected = false;
  let unsent: { subject: string; text: string }[] = [];

  /** The library writes all that is published without a pause in between at once. A write costs more than a message. */
  const send = (): void => {
    const messages = unsent;
    unsent = [];
    if (connection === undefined || connection.isClosed()) return;
    for (const { subject, text } of messages) connection.publish(subject, text);
  };

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
      if (unsent.length === 0) setImmediate(send);
      unsent.push({ subject, text: JSON.stringify(message) });
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
    // This process acts on its own messages at once: it needs no copy of them.
    noEcho: true,
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
 * Each question has its own reply subject: a node may publish only below its own prefix, so there is no shared inbox.
 * The timer of the library ends with the connection, so this function has a second timer.
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
