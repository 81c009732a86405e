import { subjects } from '@innkeeper/protocol';
import type { NodeIdentity } from '@innkeeper/protocol/client';
import { connect, jwtAuthenticator, type NatsConnection } from 'nats';

/** Calls `onWake` for each wake of the node, and when the connection is back. Undefined without NATS. */
export async function hearWakes(
  identity: NodeIdentity,
  onWake: () => void,
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
  connection?.subscribe(subjects.nodeWake(identity.node_id), { callback: onWake });
  return connection;
}
