import type { ObservedMessage, SessionIntervals } from '@innkeeper/protocol';
import type { CertificateIssue } from '@innkeeper/protocol/identity';
import type { ControlPlaneKeys } from '@innkeeper/protocol/keys';
import type { NodeChunk, NodeMethod, NodeRequest, NodeResponse, NodeStream } from '@innkeeper/protocol/wire';
import type { Sealer, ServiceContext, WakeNode } from '@innkeeper/services';
import type { Logger } from 'pino';

/** What the node service works with. */
export interface NodeServiceDeps {
  db: ServiceContext['db'];
  keys: Pick<ControlPlaneKeys, 'authority' | 'natsSigner'>;
  sealer: Sealer;
  /** Where NATS is; null: nowhere, agents only poll. */
  natsUrl: string | null;
  intervals: SessionIntervals;
  /** A report was stored. Must not throw. */
  onObserved: (message: ObservedMessage) => void;
  wakeNode: WakeNode;
  /** Earlier identities of a node ended: NATS must refuse their users. Must not throw. */
  onIdentityEnded: () => void;
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
}

/** One method for a caller whose certificate was verified. Throws DomainError for a refusal. */
export type NodeMethodHandler<M extends NodeMethod> = (
  deps: NodeServiceDeps,
  nodeId: number,
  request: NodeRequest<M>,
  issue: CertificateIssue,
) => Promise<NodeResponse<M>>;

/** The same for a method that answers a stream. Nothing is asked of it before there is room for it. */
export type NodeStreamHandler<M extends NodeStream> = (
  deps: NodeServiceDeps,
  nodeId: number,
  request: NodeRequest<M>,
) => AsyncIterable<NodeChunk<M>>;
