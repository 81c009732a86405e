import { DomainError } from '@innkeeper/domain';
import { parseAnswer, subjects } from '@innkeeper/protocol';
import { readNatsCredentials } from '@innkeeper/protocol/keys';
import type { AskNode } from '@innkeeper/services';
import { connect, credsAuthenticator, type NatsConnection, nuid } from 'nats';
import type { InnctlConfig } from './config.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** Messages to API instances, and questions to nodes. */
export interface Nats {
  publish(subject: string, message: object): void;
  askNode: AskNode;
}

/**
 * Runs `work` with a connection to NATS. When it resolves, all published messages are sent. Throws DomainError
 * `precondition_failed` if no NATS is configured, and `unavailable` if NATS is unreachable.
 */
export async function withNats<T>(config: InnctlConfig, work: (nats: Nats) => Promise<T>): Promise<T> {
  const connection = await open(config);
  try {
    return await work({
      publish: (subject, message) => connection.publish(subject, JSON.stringify(message)),
      askNode: askNodeOver(connection),
    });
  } finally {
    await connection.drain();
  }
}

async function open(config: InnctlConfig): Promise<NatsConnection> {
  const servers = config.natsUrl();
  if (servers === null) throw new DomainError('precondition_failed', 'INNKEEPER_NATS_URL is not set.');
  const { credentials, caPem } = readNatsCredentials(config.keysDir());
  try {
    return await connect({
      servers,
      tls: { ca: caPem },
      authenticator: credsAuthenticator(credentials),
      timeout: CONNECT_TIMEOUT_MS,
      reconnect: false,
      ignoreClusterUpdates: true,
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DomainError('unavailable', `NATS is unreachable (${why}). Check INNKEEPER_NATS_URL.`, {
      cause,
    });
  }
}

/** A node can publish only below its own prefix. */
function askNodeOver(connection: NatsConnection): AskNode {
  return async (nodeId, verb, question) => {
    try {
      const { data } = await connection.request(subjects.nodeAsk(nodeId, verb), JSON.stringify(question), {
        noMux: true,
        reply: `${subjects.nodeReplyPrefix(nodeId)}.${nuid.next()}`,
        timeout: ANSWER_TIMEOUT_MS,
      });
      return parseAnswer(verb, JSON.parse(new TextDecoder().decode(data)));
    } catch {
      // No responder, a timeout, or an invalid answer: the caller handles all of them in the same way.
      return undefined;
    }
  };
}
