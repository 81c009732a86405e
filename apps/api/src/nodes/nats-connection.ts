import { setTimeout as delay } from 'node:timers/promises';
import { readNatsCredentials } from '@innkeeper/protocol/keys';
import { connect, credsAuthenticator, type NatsConnection } from 'nats';
import type { Logger } from 'pino';

/** The doorbell. Everything sent may be lost, and nothing here ever throws because NATS is away. */
export interface Queue {
  isConnected(): boolean;
  /** Whether the message was handed to a connected server. */
  publish(subject: string, message: object): boolean;
  /** Calls `hear` with every JSON message, whenever there is a connection. */
  subscribe(subject: string, hear: (message: unknown) => void): void;
  close(): Promise<void>;
}

interface Subscription {
  subject: string;
  hear: (message: unknown) => void;
}

const RETRY_MS = 1_000;

/**
 * Keeps a connection to NATS: starts without one, and tries for ever. TLS is verified against the key
 * folder's CA; a `nats://` URL is a connection without it, for tests.
 */
export function openQueue(options: { url: string; keysDir: string; logger: Logger }): Queue {
  const { url, keysDir, logger } = options;
  const subscriptions: Subscription[] = [];
  const closing = new AbortController();
  let connection: NatsConnection | undefined;
  let connected = false;

  const say = (now: boolean, cause?: unknown): void => {
    if (now === connected && cause === undefined) return;
    connected = now;
    if (now) logger.info('NATS is connected');
    else logger.warn({ err: cause }, 'NATS is not connected: nodes are not woken, they poll');
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
        logger.warn({ err: cause, subject }, 'a message could not be read');
      }
    },
  });
}
