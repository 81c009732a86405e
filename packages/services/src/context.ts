import type { Database } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import type { AppTemplates } from './apps/app-templates.ts';
import type { KeyClaim } from './idempotency/claim-key.ts';
import type { Sealer } from './secrets/sealer.ts';
import type { RefreshUsage } from './usage/usage-refresher.ts';

/** Who asks. `innctl` acts as an admin without a token. */
export interface Actor {
  userId: number | null;
  role: 'admin' | 'reseller';
  tokenId: number | null;
  /** Client address, or `innctl`. */
  address: string;
}

/** Tells a node that desired state changed. At most once, never throws: a lost wake costs one poll interval. */
export type WakeNode = (nodeId: number, accountId: number, generation: number) => void;

/** What every use case gets as its first argument. */
export interface ServiceContext {
  db: Kysely<Database>;
  actor: Actor;
  requestId: string;
  now: () => Date;
  wakeNode: WakeNode;
  refreshUsage: RefreshUsage;
  sealer: Sealer;
  /** Where the request came with an Idempotency-Key. */
  claim?: KeyClaim;
  appTemplates: AppTemplates;
}
