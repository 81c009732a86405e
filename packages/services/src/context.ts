import type { Database, HeldKey } from '@innkeeper/db';
import type { StaffRole } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { AppTemplates } from './apps/app-templates.ts';
import type { NameGuard } from './domains/name-guard.ts';
import type { AskNode } from './nodes/ask-node.ts';
import type { PasswordHashes } from './passwords/password-hashes.ts';
import type { Sealer } from './secrets/sealer.ts';
import type { RefreshUsage } from './usage/usage-refresher.ts';

/**
 * The actor of an operation on accounts. Staff sees all accounts, a reseller those that it manages. `innctl` acts as an
 * admin without a token. What each role may change: `rights` in the domain package.
 */
export interface Operator {
  userId: number | null;
  role: StaffRole | 'reseller';
  tokenId: number | null;
  /** Client address, or `innctl`. */
  address: string;
}

/** The customer, signed in to the panel. Acts on the resources of its own account only. */
export interface EndUser {
  userId: number;
  role: 'user';
  accountId: number;
  tokenId: null;
  address: string;
  /** The operator who is logged in as the customer. */
  operatorUserId?: number | undefined;
}

export type Actor = Operator | EndUser;

/**
 * Sends a wake to a node: its desired state changed. Sent at most once, never throws. A lost wake delays the change by
 * one poll interval.
 */
export type WakeNode = (nodeId: number, accountId: number, generation: number) => void;

/** A request's claim on its Idempotency-Key. */
export interface KeyClaim extends HeldKey {
  /** Result of a committed write whose request could not send its response. */
  written: { value: unknown } | undefined;
  /** Whether the request has made its write. */
  isSpent: boolean;
}

/** The first argument of every use case. */
export interface ServiceContext<Who extends Actor = Actor> {
  db: Kysely<Database>;
  actor: Who;
  requestId: string;
  now: () => Date;
  wakeNode: WakeNode;
  askNode: AskNode;
  refreshUsage: RefreshUsage;
  sealer: Sealer;
  /** Present if the request has an Idempotency-Key. */
  claim?: KeyClaim;
  appTemplates: AppTemplates;
  /** Private IP ranges that are allowed for Git repositories. Default: none. */
  gitAllowedNetworks?: readonly string[] | undefined;
  names: NameGuard;
  /** Only in tests, which create thousands of users: cheap hashes. No setting of the API reaches it. */
  passwordHashes?: PasswordHashes | undefined;
}

/** Context of use cases for operators only: create, limit, suspend and terminate accounts. */
export type OperatorContext = ServiceContext<Operator>;
