import { type AskVerb, subjects, type WakeMessage, wakeMessageSchema } from '@innkeeper/protocol';
import type { NodeIdentity } from '@innkeeper/protocol/client';
import { connect, jwtAuthenticator, type Msg, type NatsConnection } from 'nats';
import type { Log } from '../node/log.ts';
import type { Unsubscribe } from './control-plane.ts';
import { type AskHandler, NatsAnswers } from './nats-answers.ts';

const ATTEMPT_TIMEOUT_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface DoorbellDeps {
  /** The newest identity. Every connect uses its NATS user. */
  identity: () => NodeIdentity;
  onWake: (message: WakeMessage) => void;
  /** Connected, the first time or again. Earlier wakes were lost. */
  onConnected: () => void;
  /** Disconnected: wakes are lost. Called again for each failed attempt. */
  onLost: () => void;
  log: Log;
}

export interface Doorbell {
  /** Registers the handler for questions of this kind. A verb without a handler stays unanswered. */
  onAsk<V extends AskVerb>(verb: V, handler: AskHandler<V>): Unsubscribe;
  close(): Promise<void>;
}

/**
 * Subscribes to wakes, and to questions that have a handler, over NATS until it is closed. Without NATS, changes only
 * arrive later, because the agent polls too. So no failure is thrown here; it is logged and retried without limit.
 */
export function openDoorbell(deps: DoorbellDeps): Doorbell {
  const closing = new AbortController();
  const answers = new NatsAnswers(deps.log);
  let connection: NatsConnection | undefined;

  const listen = async (): Promise<void> => {
    for (let failures = 0; !closing.signal.aborted; ) {
      const url = deps.identity().nats_url;
      try {
        if (url !== null) {
          connection = await connectAs(deps.identity, url);
          failures = 0;
          await hear(connection, answers, deps, closing.signal);
        }
      } catch (error) {
        failures += 1;
        deps.onLost();
        deps.log[failures === 1 ? 'warn' : 'debug'](
          { err: error },
          'NATS is unreachable. The agent polls instead.',
        );
      }
      await pause(failures, closing.signal);
    }
  };
  const ended = listen();
  return {
    onAsk: (verb, handler) => answers.on(verb, handler),
    close: async () => {
      closing.abort();
      await connection?.close();
      await ended;
    },
  };
}

function connectAs(identity: () => NodeIdentity, url: string): Promise<NatsConnection> {
  const { node_id, ca_pem } = identity();
  return connect({
    servers: url,
    name: `node-${node_id}`,
    tls: { ca: ca_pem },
    authenticator: jwtAuthenticator(
      () => identity().nats_jwt,
      () => new TextEncoder().encode(identity().nats_seed),
    ),
    inboxPrefix: subjects.nodeReplyPrefix(node_id),
    timeout: ATTEMPT_TIMEOUT_MS,
    pingInterval: 20_000,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: FIRST_PAUSE_MS,
    reconnectJitter: 1_000,
    reconnectJitterTLS: 1_000,
    // The next renewal replaces a user that expired while the control plane was away.
    ignoreAuthErrorAbort: true,
    // The addresses that a server announces for itself are not in its certificate.
    ignoreClusterUpdates: true,
  });
}

/** Resolves when the connection is closed for good. */
async function hear(
  connection: NatsConnection,
  answers: NatsAnswers,
  deps: DoorbellDeps,
  closing: AbortSignal,
): Promise<void> {
  if (closing.aborted) return connection.close();
  connection.subscribe(subjects.nodeWake(deps.identity().node_id), {
    callback: (error, message) => {
      const wake = error === null ? parseWake(message) : undefined;
      if (wake !== undefined) deps.onWake(wake);
    },
  });
  answers.attach(connection, deps.identity().node_id);
  deps.onConnected();
  for await (const event of connection.status()) {
    if (event.type === 'reconnect') deps.onConnected();
    if (event.type === 'disconnect') {
      deps.onLost();
      deps.log.info('The connection to NATS was lost. The agent polls until it is back.');
    }
    if (event.type === 'error') deps.log.warn({ err: event.error }, 'NATS reported an error.');
  }
  deps.onLost();
  await connection.closed();
}

/** Undefined for a malformed wake: it counts as lost. */
function parseWake(message: Msg): WakeMessage | undefined {
  try {
    return wakeMessageSchema.parse(message.json());
  } catch {
    return undefined;
  }
}

async function pause(failures: number, closing: AbortSignal): Promise<void> {
  if (closing.aborted) return;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, pauseMs * (0.5 + Math.random() / 2));
    closing.addEventListener('abort', done);
    function done(): void {
      clearTimeout(timer);
      closing.removeEventListener('abort', done);
      resolve();
    }
  });
}
