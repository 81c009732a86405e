import { DomainError } from '@innkeeper/domain';
import { parseAnswer, subjects } from '@innkeeper/protocol';
import { readNatsCredentials } from '@innkeeper/protocol/keys';
import type { AskNode } from '@innkeeper/services';
import { connect, credsAuthenticator, type NatsConnection, nuid } from 'nats';
import type { InnctlConfig } from './config.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** What a command says to API instances, and asks of nodes. */
export interface Nats {
  publish(subject: string, message: object): void;
  askNode: AskNode;
}

/**
 * Does what needs the configured NATS; what was published has been sent when it resolves. Throws DomainError
 * `precondition_failed` where none is configured, and `unavailable` where it cannot be reached.
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
    throw new DomainError('unavailable', `NATS cannot be reached (${why}). Check INNKEEPER_NATS_URL.`, {
      cause,
    });
  }
}

/** A node may publish below its own prefix and nowhere else. */
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
      // Nobody listens or answers in time, or what came is no JSON: all the same to who asks.
      return undefined;
    }
  };
}
