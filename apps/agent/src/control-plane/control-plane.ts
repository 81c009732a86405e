import type {
  AccountReport,
  Answer,
  AskVerb,
  HeartbeatCounts,
  NodeFacts,
  Question,
  SessionIntervals,
  WakeMessage,
} from '@innkeeper/protocol';

export type ControlPlaneErrorCode =
  /** Not reached, or no answer within the deadline. Try again later. */
  | 'unavailable'
  /** A later Hello of this node won. This agent must stop applying and must not say Hello again. */
  | 'superseded'
  /** The node was removed, or its certificate is not accepted. */
  | 'unauthenticated'
  /** The account is unknown to the control plane or belongs to another node. */
  | 'not_found'
  /** The control plane took the message for malformed. Repeating it is pointless. */
  | 'refused';

/** Why a call to the control plane failed. The message holds no secret. */
export class ControlPlaneError extends Error {
  readonly code: ControlPlaneErrorCode;

  constructor(code: ControlPlaneErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ControlPlaneError';
    this.code = code;
  }

  get retryable(): boolean {
    return this.code === 'unavailable' || this.code === 'unauthenticated';
  }
}

export interface PulledAccounts {
  /** Decoded from the wire, not yet believed: parse each with accountSpecSchema. */
  accounts: unknown[];
  has_more: boolean;
}

/** Ends the subscription of a listener. */
export type Unsubscribe = () => void;

/**
 * All that the agent's core knows of the control plane. Every call has a deadline, rejects with a
 * ControlPlaneError, and is safe to repeat.
 */
export interface ControlPlane {
  /** Starts this agent's session: the first call after every start. */
  hello(facts: NodeFacts): Promise<SessionIntervals>;
  heartbeat(counts: HeartbeatCounts): Promise<void>;
  /** The accounts whose desired state is newer than the reported one, above `afterAccountId`; `limit` is 1 to 500. */
  pullAccounts(afterAccountId: number, limit: number): Promise<PulledAccounts>;
  reportAccount(report: AccountReport): Promise<void>;
  /**
   * The archive of a release, piece by piece, as fast as it is read. `not_found`: it is wanted no more. Leaving the
   * loop, or aborting, ends it. Whoever stores it compares size and hash with the spec's.
   */
  fetchArchive(accountId: number, releaseId: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** A hint that an account of this node changed. May be lost, repeated or late. */
  onWake(listener: (message: WakeMessage) => void): Unsubscribe;
  /**
   * From now on `handler` answers this kind of question. One that rejects leaves it unanswered, and so does a
   * verb without a handler.
   */
  onAsk<V extends AskVerb>(verb: V, handler: (question: Question<V>) => Promise<Answer<V>>): Unsubscribe;
  /** Whether wakes cannot be heard now; false where the node has no doorbell at all. */
  readonly isDoorbellLost: boolean;
  onDoorbellLost(listener: () => void): Unsubscribe;
  /** The control plane can be reached again (each time, the first included): pull now. */
  onConnected(listener: () => void): Unsubscribe;
  /** A later agent has taken this node over. Emitted once. */
  onSuperseded(listener: () => void): Unsubscribe;
  close(): Promise<void>;
}
