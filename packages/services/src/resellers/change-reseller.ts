import { newPassword, ownProfile, type ProfileInput, parseFields } from '@innkeeper/contract';
import {
  deleteSessionsOfUser,
  findLiveTokenIds,
  inTransaction,
  lockReseller,
  setPasswordHash,
  storeResellerSuspension,
} from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { beginBulkChange, requireNoBulkChange } from '../bulk-changes/begin-bulk-change.ts';
import type { OperatorContext } from '../context.ts';
import { passwordHashesOf } from '../passwords/password-hashes.ts';
import { storePerson } from '../users/set-own-profile.ts';
import { getReseller } from './reseller.ts';

/** What a suspension of a reseller, or its end, began. */
export interface ResellerSuspended {
  /** Null: nothing had to change, or no account has to follow. */
  bulk_change_id: number | null;
  /** Tokens that may no longer or again work: caches must forget them. */
  token_ids: number[];
}

/**
 * Suspends a reseller with its accounts. It is signed out, and neither a sign-in nor a token of it works from the commit
 * on. A bulk change suspends its active accounts in the background. Idempotent. Throws `not_found`, and
 * `precondition_failed` while its accounts still follow an earlier change.
 */
export async function suspendReseller(
  ctx: OperatorContext,
  { reseller }: { reseller: string },
): Promise<ResellerSuspended> {
  return await setSuspended(ctx, reseller, true);
}

/** Ends the suspension. Exactly the accounts come back that were suspended by it. Throws like `suspendReseller`. */
export async function unsuspendReseller(
  ctx: OperatorContext,
  { reseller }: { reseller: string },
): Promise<ResellerSuspended> {
  return await setSuspended(ctx, reseller, false);
}

async function setSuspended(
  ctx: OperatorContext,
  reseller: string,
  suspended: boolean,
): Promise<ResellerSuspended> {
  const action = suspended ? 'reseller.suspend' : 'reseller.unsuspend';
  requireMay(ctx.actor.role, action);
  return await inTransaction(ctx.db, async (trx) => {
    const { id, username } = await getReseller(trx, reseller);
    const locked = await lockReseller(trx, id);
    if (locked === undefined) throw new DomainError('not_found', `There is no reseller "${username}".`);
    if ((locked.disabled_at !== null) === suspended) return { bulk_change_id: null, token_ids: [] };
    const subject = `user:${id}`;
    await requireNoBulkChange(trx, subject);
    const now = ctx.now();
    await storeResellerSuspension(trx, id, { disabled_at: suspended ? now : null, updated_at: now });
    const sessions_ended = suspended ? await deleteSessionsOfUser(trx, id) : 0;
    const bulk = await beginBulkChange(trx, ctx, {
      action: { action: suspended ? 'suspend-with-reseller' : 'unsuspend-with-reseller' },
      subject,
      accounts: suspended
        ? { reseller_user_id: id, state: 'active' }
        : { reseller_user_id: id, suspended_with_reseller: 1 },
    });
    await audit(trx, ctx, {
      action,
      target: subject,
      account_id: null,
      details: { username, accounts: bulk.total, ...(suspended ? { sessions_ended } : {}) },
    });
    const token_ids = await findLiveTokenIds(trx, id);
    return { bulk_change_id: bulk.total === 0 ? null : bulk.id, token_ids };
  });
}

/** Sets the password of a reseller and signs it out everywhere. Throws `not_found` and `invalid`. */
export async function setResellerPassword(
  ctx: OperatorContext,
  { reseller, password }: { reseller: string; password: string },
): Promise<void> {
  requireMay(ctx.actor.role, 'reseller.set-password');
  parseFields(newPassword, { password });
  const hash = await passwordHashesOf(ctx).panel(password);
  await inTransaction(ctx.db, async (trx) => {
    const { id, username } = await getReseller(trx, reseller);
    await lockReseller(trx, id);
    await setPasswordHash(trx, id, hash, ctx.now());
    const sessions_ended = await deleteSessionsOfUser(trx, id);
    await audit(trx, ctx, {
      action: 'reseller.set-password',
      target: `user:${id}`,
      account_id: null,
      details: { username, replaced: ['password'], sessions_ended },
    });
  });
}

/** Changes the name and email address of a reseller. Throws `not_found`, and `invalid` with the field. */
export async function setResellerPerson(
  ctx: OperatorContext,
  { reseller, ...input }: ProfileInput & { reseller: string },
): Promise<void> {
  requireMay(ctx.actor.role, 'reseller.set-person');
  const wanted = parseFields(ownProfile, input);
  await inTransaction(ctx.db, async (trx) => {
    const { id } = await getReseller(trx, reseller);
    await storePerson(trx, ctx, { userId: id, wanted, action: 'reseller.set-person' });
  });
}
