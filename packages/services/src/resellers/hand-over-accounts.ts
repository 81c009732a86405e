import {
  countSuspendedWithReseller,
  deleteSessionsOfUser,
  findEstate,
  findHandedPackages,
  findLiveTokenIds,
  type HandedOver,
  inTransaction,
  lockReseller,
  storeResellerSuspension,
} from '@innkeeper/db';
import { invalidField, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { beginBulkChange, requireNoBulkChange } from '../bulk-changes/begin-bulk-change.ts';
import type { OperatorContext } from '../context.ts';
import { isAssignable } from './hand-over-account.ts';
import { findExcess, findNewManager, requireActive, requireRoom } from './new-manager.ts';
import { getReseller } from './reseller.ts';

/** What handing over accounts means. */
export interface HandOverPreview {
  /** Accounts that are handed over. Those that are being terminated are not. */
  accounts: number;
  /** Accounts that were suspended together with their reseller, and become active. */
  coming_back: number;
  /** What the pool of the reseller that gets them refuses, one sentence each. */
  excess: string[];
  /** Packages of the accounts that the reseller that gets them may not sell. */
  unsold: { id: number; name: string; accounts: number; is_assignable: boolean }[];
}

/** Throws `forbidden`, `not_found`, and `invalid` on `to` for an unknown reseller. */
export async function previewHandOver(
  ctx: OperatorContext,
  { to, ...of }: { to: string | null } & ({ account_id: number } | { reseller: string }),
): Promise<HandOverPreview> {
  requireMay(ctx.actor.role, 'account.hand-over');
  const handed: HandedOver =
    'account_id' in of ? of : { reseller_user_id: (await getReseller(ctx.db, of.reseller)).id };
  const manager = await findNewManager(ctx.db, to);
  const [packages, coming_back, excess] = await Promise.all([
    findHandedPackages(ctx.db, handed, manager?.id ?? null),
    countSuspendedWithReseller(ctx.db, handed),
    findExcess(ctx.db, manager, handed),
  ]);
  const unsold = packages.filter(
    ({ owner_user_id, is_assigned, is_internal }) =>
      manager !== null && owner_user_id !== manager.id && is_assigned === 0 && is_internal === 0,
  );
  return {
    accounts: packages.reduce((sum, { accounts }) => sum + accounts, 0),
    coming_back,
    excess,
    unsold: unsold.map((one) => ({
      id: one.id,
      name: one.name,
      accounts: one.accounts,
      is_assignable: isAssignable(one),
    })),
  };
}

export interface HandOverInput {
  reseller: string;
  /** Null: the operator itself. */
  to: string | null;
  /** Whether the reseller that gets the accounts may sell their packages from then on. */
  assign_packages?: boolean;
  /** Deletes the reseller afterwards, if no account is left. It is suspended at once. */
  then_delete?: { unused_packages: 'keep' | 'delete' } | undefined;
}

/**
 * Hands over all accounts of a reseller in the background. Both resellers are locked, so the pool of the one that gets the
 * accounts is checked for all of them before anything changes. `token_ids`: tokens that no longer work. Throws
 * `not_found`; `precondition_failed` while an earlier change of its accounts runs; `invalid` on `to`.
 */
export async function handOverAccounts(
  ctx: OperatorContext,
  { reseller, to, assign_packages = false, then_delete }: HandOverInput,
): Promise<{ bulk_change_id: number; total: number; token_ids: number[] }> {
  requireMay(ctx.actor.role, 'reseller.hand-over');
  if (then_delete !== undefined) requireMay(ctx.actor.role, 'reseller.delete');
  return await inTransaction(ctx.db, async (trx) => {
    const from = await getReseller(trx, reseller);
    const manager = await findNewManager(trx, to);
    if (manager?.id === from.id) throw invalidField('to', 'Choose another manager for the accounts.');
    const both = manager === null ? [from.id] : [from.id, manager.id];
    for (const id of both.sort((a, b) => a - b)) await lockReseller(trx, id);
    // Again under the lock: it may have been deleted meanwhile.
    await getReseller(trx, reseller);
    const subject = `user:${from.id}`;
    await requireNoBulkChange(trx, subject);
    await requireActive(trx, manager);
    await requireRoom(trx, manager, { reseller_user_id: from.id });
    const now = ctx.now();
    let sessions_ended = 0;
    if (then_delete !== undefined) {
      await storeResellerSuspension(trx, from.id, { disabled_at: now, updated_at: now });
      sessions_ended = await deleteSessionsOfUser(trx, from.id);
    }
    const delete_reseller =
      then_delete === undefined ? {} : { delete_reseller: { reseller: from.username, ...then_delete } };
    const { id, total } = await beginBulkChange(trx, ctx, {
      action: { action: 'hand-over', to: manager?.username ?? null, assign_packages, ...delete_reseller },
      subject,
      accounts: { reseller_user_id: from.id },
    });
    await audit(trx, ctx, {
      action: 'reseller.hand-over',
      target: subject,
      account_id: null,
      details: {
        username: from.username,
        to: manager?.username ?? null,
        accounts: total,
        ...(then_delete === undefined ? {} : { then_deleted: true, sessions_ended }),
      },
    });
    const token_ids = then_delete === undefined ? [] : await findLiveTokenIds(trx, from.id);
    return { bulk_change_id: id, total, token_ids };
  });
}

/** What a reseller would leave behind: its accounts, packages and brand. Throws `forbidden` and `not_found`. */
export async function getEstate(ctx: OperatorContext, { reseller }: { reseller: string }) {
  requireMay(ctx.actor.role, 'reseller.delete');
  return await findEstate(ctx.db, (await getReseller(ctx.db, reseller)).id);
}
