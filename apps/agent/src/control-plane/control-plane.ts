import type {
  AccountReport,
  Answer,
  AskVerb,
  HeartbeatCounts,
  NodeFacts,
  Question,
  SessionIntervals,
  UsageReport,
  WakeMessage,
} from '@innkeeper/protocol';

export type ControlPlaneErrorCode =
  /** Not reachable, or no answer before the deadline. Retry later. */
  | 'unavailable'
  /** A later Hello of this node took over. This agent must stop applying and must not send Hello again. */
  | 'superseded'
  /** The node was removed, or its certificate was rejected. */
  | 'unauthenticated'
  /** The account is unknown to the control plane or belongs to another node. */
  | 'not_found'
  /** The control plane rejected the message as malformed. A retry is pointless. */
  | 'refused';

/** The failure of a call to the control plane. The message contains no secret. */
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
  /** Decoded from the wire, untrusted: parse each with accountSpecSchema. */
  accounts: unknown[];
  has_more: boolean;
  /** Settings of the server itself, if they are of another generation. Untrusted, like an account. */
  settings?: unknown;
}

/** Unsubscribes a listener. */
export type Unsubscribe = () => void;

/**
 * The agent's interface to the control plane. Every call has a deadline, rejects with a ControlPlaneError, and is
 * idempotent.
 */
export interface ControlPlane {
  /** Starts this agent's session. It is the first call after every start. */
  hello(facts: NodeFacts): Promise<SessionIntervals>;
  heartbeat(counts: HeartbeatCounts): Promise<void>;
  /**
   * Returns the accounts whose desired state is newer than the reported one, with ids above `afterAccountId`. `limit`:
   * 1 to 500. `settingsGeneration`: of the settings of the server itself that the agent has.
   */
  pullAccounts(afterAccountId: number, limit: number, settingsGeneration: number): Promise<PulledAccounts>;
  reportAccount(report: AccountReport): Promise<void>;
  /** A part of what was used in an interval. A repeated part is ignored. */
  reportUsage(report: UsageReport): Promise<void>;
  /**
   * Streams the archive of a release, as fast as it is read. `not_found`: the release is no longer wanted. Leaving the
   * loop or aborting ends the stream. The caller must compare size and hash with the spec.
   */
  fetchArchive(accountId: number, releaseId: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** A hint that an account of this node changed. It may be lost, repeated or late. */
  onWake(listener: (message: WakeMessage) => void): Unsubscribe;
  /**
   * Registers the handler for questions of this verb. A question stays unanswered if its handler rejects or if the verb
   * has no handler.
   */
  onAsk<V extends AskVerb>(verb: V, handler: (question: Question<V>) => Promise<Answer<V>>): Unsubscribe;
  /** Returns whether wakes cannot be received now. False if the node has no NATS connection configured. */
  readonly isDoorbellLost: boolean;
  onDoorbellLost(listener: () => void): Unsubscribe;
  /** Called each time the control plane becomes reachable, the first time included: pull now. */
  onConnected(listener: () => void): Unsubscribe;
  /** A later agent has taken over this node. Emitted once. */
  onSuperseded(listener: () => void): Unsubscribe;
  close(): Promise<void>;
}
