/** NATS subjects. All of them are hints: every message may be lost. */
export const subjects = {
  /** Desired state of an account of this node changed. Payload: WakeMessage as JSON. */
  nodeWake: (nodeId: number) => `innkeeper.node.${nodeId}.wake`,
  /** A report of this account was stored. Payload: ObservedMessage as JSON. */
  accountObserved: (accountId: number) => `innkeeper.account.${accountId}.observed`,
  anyAccountObserved: 'innkeeper.account.*.observed',
  /** A token was revoked: drop it from every cache. Payload: TokenRevokedMessage as JSON. */
  tokenRevoked: 'innkeeper.token.revoked',
} as const;

export interface WakeMessage {
  account_id: number;
  generation: number;
}

export interface ObservedMessage {
  account_id: number;
  observed_generation: number;
  outcome: string;
}

export interface TokenRevokedMessage {
  token_id: number;
}
