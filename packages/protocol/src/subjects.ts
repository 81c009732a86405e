import { z } from 'zod';
import type { AskVerb } from './asks.ts';

/** NATS subjects. All of them are hints: every message may be lost. */
export const subjects = {
  /** Desired state of an account of this node changed. Payload: WakeMessage as JSON. */
  nodeWake: (nodeId: number) => `innkeeper.node.${nodeId}.wake`,
  /** A question to one node. The node answers on a subject below its reply prefix. */
  nodeAsk: (nodeId: number, verb: AskVerb) => `innkeeper.node.${nodeId}.ask.${verb}`,
  anyNodeAsk: (nodeId: number) => `innkeeper.node.${nodeId}.ask.>`,
  /** Inbox prefix of questions to this node. The node may publish only below it. */
  nodeReplyPrefix: (nodeId: number) => `innkeeper.node.${nodeId}.reply`,
  anyNodeReply: (nodeId: number) => `innkeeper.node.${nodeId}.reply.>`,
  /** A report of this account was stored. Payload: ObservedMessage as JSON. */
  accountObserved: (accountId: number) => `innkeeper.account.${accountId}.observed`,
  anyAccountObserved: 'innkeeper.account.*.observed',
  /** A token was revoked: drop it from every cache. Payload: TokenRevokedMessage as JSON. */
  tokenRevoked: 'innkeeper.token.revoked',
  any: 'innkeeper.>',
} as const;

/** The account id of a wake for the settings of the server itself. */
export const SETTINGS_OF_NODE = 0;

export const wakeMessageSchema = z.object({ account_id: z.int().min(0), generation: z.int().min(1) });
export type WakeMessage = z.infer<typeof wakeMessageSchema>;

export interface ObservedMessage {
  account_id: number;
  observed_generation: number;
  outcome: string;
}

export interface TokenRevokedMessage {
  token_id: number;
}
