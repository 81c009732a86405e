import { createHash } from 'node:crypto';
import {
  findIdempotencyKey,
  type HeldKey,
  type IdempotencyKeyRow,
  insertIdempotencyKey,
  takeOverIdempotencyKey,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { KeyClaim, ServiceContext } from '../context.ts';
import { readWritten } from './written-text.ts';

/**
 * Lease of a key in seconds. A holder counts as running for this long after its last renewal, so retries wait this long
 * for an instance that was killed. A holder that was only slow loses its key, and its write is rolled back
 * (`writeOnce`).
 */
export const KEY_LEASE_S = 4;

/** The request has claimed the key, or there is the stored response of an earlier request. */
export type KeyReading =
  | { claim: KeyClaim; kept?: never }
  | { kept: { status: number; body: string }; claim?: never };

const MAX_ATTEMPTS = 5;

/**
 * Claims an Idempotency-Key of the actor's token for a request. Throws `invalid` if the key was used with a different
 * request, and `conflict` while the first request is in progress.
 *
 * `request` is a text that is equal for equal requests; it may contain secrets. It is stored as a sealed hash, because
 * a plain hash of a password would allow fast guessing.
 */
export async function claimKey(
  ctx: Pick<ServiceContext, 'db' | 'actor' | 'requestId' | 'sealer'>,
  { key, request }: { key: string; request: string },
): Promise<KeyReading> {
  if (ctx.actor.tokenId === null) throw new Error('An Idempotency-Key belongs to a token.');
  const hash = createHash('sha256').update(request).digest('hex');
  const held: HeldKey = {
    token_id: ctx.actor.tokenId,
    key_hash: createHash('sha256').update(key).digest(),
    claimed_by: ctx.requestId,
  };
  const sealed = { request: ctx.sealer.seal('idempotency', hash), leaseS: KEY_LEASE_S };

  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (await insertIdempotencyKey(ctx.db, { ...held, ...sealed }))
      return { claim: { ...held, written: undefined, isSpent: false } };
    const row = await findIdempotencyKey(ctx.db, held);
    if (row === undefined) continue;
    const isSame = ctx.sealer.open('idempotency', row.request) === hash;
    if (!row.is_expired) {
      requireFor(row, isSame);
      if (row.status !== null && row.body !== null)
        return { kept: { status: row.status, body: ctx.sealer.open('idempotency', row.body) } };
    }
    const written = isSame && !row.is_expired ? row.written : null;
    if (await takeOverIdempotencyKey(ctx.db, { ...held, ...sealed, from: row.claimed_by, written })) {
      const value = written && { value: readWritten(ctx.sealer.open('idempotency', written)) };
      return { claim: { ...held, written: value || undefined, isSpent: false } };
    }
  }
  throw keyInProgress();
}

/**
 * Throws unless the key has a stored response for this request, or its lease has expired and this request can continue.
 */
function requireFor({ status, written, is_leased }: IdempotencyKeyRow, isSame: boolean): void {
  const wasGivenUp = status === null && !is_leased;
  if (!isSame && !(wasGivenUp && written === null))
    throw new DomainError('invalid', 'This Idempotency-Key was used with another request.');
  if (status === null && is_leased) throw keyInProgress();
}

export function keyInProgress(): DomainError {
  return new DomainError('conflict', 'A request with this Idempotency-Key is in progress.');
}
