import { type AskVerb, asks, subjects } from '@innkeeper/protocol';
import type { NodeIdentity } from '@innkeeper/protocol/client';
import { connect, jwtAuthenticator, type Msg, type NatsConnection } from 'nats';

/**
 * Subscribes to NATS. Calls `onWake` for each wake of the node, and answers questions with the result of `answer`;
 * undefined means no answer. Returns undefined without NATS.
 */
export async function openSimulatedDoorbell(
  identity: NodeIdentity,
  { onWake, answer }: { onWake: () => void; answer: (verb: AskVerb, question: unknown) => Promise<unknown> },
): Promise<NatsConnection | undefined> {
  if (identity.nats_url === null) return undefined;
  const connection = await connect({
    servers: identity.nats_url,
    tls: { ca: identity.ca_pem },
    authenticator: jwtAuthenticator(identity.nats_jwt, new TextEncoder().encode(identity.nats_seed)),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    ignoreAuthErrorAbort: true,
    ignoreClusterUpdates: true,
  }).catch(() => undefined);
  if (connection === undefined) return undefined;
  connection.subscribe(subjects.nodeWake(identity.node_id), { callback: onWake });
  const respond = async (verb: AskVerb, message: Msg): Promise<void> => {
    const answered = await answer(verb, message.json());
    if (answered === undefined || connection.isClosed()) return;
    message.respond(typeof answered === 'string' ? answered : JSON.stringify(answered));
  };
  for (const verb of Object.keys(asks) as AskVerb[])
    connection.subscribe(subjects.nodeAsk(identity.node_id, verb), {
      callback: (_, message) => void respond(verb, message),
    });
  await connection.flush();
  return connection;
}
