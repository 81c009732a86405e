import type { ObservedMessage, SessionIntervals } from '@innkeeper/protocol';
import type { CertificateIssue } from '@innkeeper/protocol/identity';
import type { ControlPlaneKeys } from '@innkeeper/protocol/keys';
import type { NodeChunk, NodeMethod, NodeRequest, NodeResponse, NodeStream } from '@innkeeper/protocol/wire';
import type { Sealer, ServiceContext, WakeNode } from '@innkeeper/services';
import type { Logger } from 'pino';
import type { Channels } from '../channels.ts';

/** Dependencies of the node service. */
export interface NodeServiceDeps {
  db: ServiceContext['db'];
  keys: Pick<ControlPlaneKeys, 'authority' | 'natsSigner'>;
  sealer: Sealer;
  /** URL of NATS. Null: there is no NATS, agents only poll. */
  natsUrl: string | null;
  intervals: SessionIntervals;
  /** Called after a report was stored. Must not throw. */
  onObserved: (message: ObservedMessage) => void;
  wakeNode: WakeNode;
  /** The channels that this process waits for. */
  channels: Pick<Channels, 'claim'>;
  /** Called after earlier identities of a node ended: NATS must refuse their users. Must not throw. */
  onIdentityEnded: () => void;
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
}

/** A method for a caller with a verified certificate. Throws DomainError for a refusal. */
export type NodeMethodHandler<M extends NodeMethod> = (
  deps: NodeServiceDeps,
  nodeId: number,
  request: NodeRequest<M>,
  issue: CertificateIssue,
) => Promise<NodeResponse<M>>;

/** A method that answers with a stream. The next chunk is requested only when there is room for it. */
export type NodeStreamHandler<M extends NodeStream> = (
  deps: NodeServiceDeps,
  nodeId: number,
  request: NodeRequest<M>,
) => AsyncIterable<NodeChunk<M>>;
