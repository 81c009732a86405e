import {
  deleteIdempotencyKey,
  releaseIdempotencyKey,
  renewIdempotencyKey,
  storeKeyAnswer,
} from '@innkeeper/db';
import type { KeyClaim, ServiceContext } from '../context.ts';
import { KEY_LEASE_S } from './claim-key.ts';

/**
 * How a request with an Idempotency-Key ended. `failed`: the key is free again, unless the write was committed; then
 * only a retry of the same request continues. `undone`: the committed change was reverted.
 */
export type KeyOutcome = { status: number; body: string; keptForS: number } | 'failed' | 'undone';

/** Records the result of the request that has the key. */
export async function settleKey(
  ctx: Pick<ServiceContext, 'db' | 'sealer'>,
  claim: KeyClaim,
  outcome: KeyOutcome,
): Promise<void> {
  if (outcome === 'failed') return await releaseIdempotencyKey(ctx.db, claim);
  if (outcome === 'undone') return await deleteIdempotencyKey(ctx.db, claim);
  const body = ctx.sealer.seal('idempotency', outcome.body);
  await storeKeyAnswer(ctx.db, claim, { ...outcome, body });
}

/** Renews the lease of a key while its request is in progress. Call it well within KEY_LEASE_S seconds. */
export async function renewKey(ctx: Pick<ServiceContext, 'db'>, claim: KeyClaim): Promise<void> {
  await renewIdempotencyKey(ctx.db, claim, KEY_LEASE_S);
}
