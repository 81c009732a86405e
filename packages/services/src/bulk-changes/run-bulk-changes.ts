import {
  type BulkChangeRow,
  canSignIn,
  claimBulkChange,
  deleteEndedBulkChanges,
  findWaitingAccounts,
  leaseBulkChange,
  refuseWaiting,
  storeBulkEnd,
  storeBulkFailure,
  storeBulkOutcome,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { changeAccountPackage } from '../accounts/change-account-package.ts';
import { followPackage } from '../accounts/follow-package.ts';
import { suspendAccount } from '../accounts/suspend-account.ts';
import { unsuspendAccount } from '../accounts/unsuspend-account.ts';
import type { OperatorContext } from '../context.ts';
import { deletePackage } from '../packages/delete-package.ts';
import { deleteReseller } from '../resellers/delete-reseller.ts';
import { handOverAccount } from '../resellers/hand-over-account.ts';
import { type BulkAction, bulkActionOf } from './bulk-change.ts';

const LEASE_S = 60;
/** After an unexpected error, another instance or the next round goes on after this time. */
const PAUSE_S = 15;
/** Accounts that change at the same time. */
const AT_ONCE = 4;
const BATCH = 20;
const MOST_FAILURES = 5;
const KEPT_MS = 30 * 24 * 3_600 * 1_000;
const MESSAGE_MAX = 500;

/** The context of background work: each change acts in the name of its operator. */
export type BackgroundContext = Omit<OperatorContext, 'actor' | 'requestId' | 'claim'>;

export interface BulkRunOptions {
  isStopped?: () => boolean;
  onError: (error: unknown, change: { bulk_change_id: number; account_id?: number }) => void;
}

/**
 * Applies the bulk changes that nobody works on, oldest first, until none is left. A change survives the end of an
 * instance: its lease expires, and another one goes on with the accounts that wait. Each account is changed by its usual
 * verb with its own transaction and audit row; a verb that has nothing to change writes nothing, so an account that was
 * changed just before the end of an instance is not changed twice.
 */
export async function runBulkChanges(
  ctx: BackgroundContext,
  { isStopped = () => false, onError }: BulkRunOptions,
): Promise<void> {
  while (!isStopped()) {
    const row = await claimBulkChange(ctx.db, { leaseS: LEASE_S });
    if (row === undefined) return;
    try {
      await run(ctx, row, { isStopped, onError });
    } catch (error) {
      onError(error, { bulk_change_id: row.id });
      await leaseBulkChange(ctx.db, row.id, { leaseS: PAUSE_S });
      return;
    }
  }
}

async function run(
  background: BackgroundContext,
  row: BulkChangeRow,
  { isStopped, onError }: Required<BulkRunOptions>,
): Promise<void> {
  const { role, user_id: userId, address, request_id: requestId } = row;
  const ctx: OperatorContext = { ...background, requestId, actor: { userId, role, tokenId: null, address } };
  const action = bulkActionOf(row.input);
  for (;;) {
    if (isStopped()) return await leaseBulkChange(ctx.db, row.id, { leaseS: 0 });
    if (!(await mayAct(ctx)))
      await refuseWaiting(ctx.db, row.id, 'The operator who began it cannot sign in.');
    const waiting = await findWaitingAccounts(ctx.db, row.id, BATCH);
    if (waiting.length === 0) break;
    await leaseBulkChange(ctx.db, row.id, { leaseS: LEASE_S });
    for (let start = 0; start < waiting.length; start += AT_ONCE) {
      const failed = await Promise.all(
        waiting.slice(start, start + AT_ONCE).map((id) => changeOne(ctx, row.id, id, action, onError)),
      );
      if (failed.includes(true)) return await leaseBulkChange(ctx.db, row.id, { leaseS: PAUSE_S });
    }
  }
  const left_out = await afterwards(ctx, action);
  await storeBulkEnd(ctx.db, row.id, { finished_at: ctx.now(), left_out });
}

/** An operator who was suspended or deleted since changes nothing any more. */
async function mayAct({ db, actor }: OperatorContext): Promise<boolean> {
  if (actor.userId === null) return true;
  return await canSignIn(db, { id: actor.userId, role: actor.role });
}

/** Returns whether an unexpected error prevented the change. */
async function changeOne(
  ctx: OperatorContext,
  bulk_change_id: number,
  account_id: number,
  action: BulkAction,
  onError: BulkRunOptions['onError'],
): Promise<boolean> {
  const at = { bulk_change_id, account_id };
  try {
    await apply(ctx, account_id, action);
    await storeBulkOutcome(ctx.db, at, { state: 'done' });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'unavailable') {
      onError(error, at);
      const message = 'An unexpected error prevented it. The log of the control plane has the error.';
      await storeBulkFailure(ctx.db, at, { most: MOST_FAILURES, message });
      return true;
    }
    const sentences = error.fields === undefined ? [error.message] : Object.values(error.fields).flat();
    const message = sentences.join(' ').slice(0, MESSAGE_MAX);
    await storeBulkOutcome(
      ctx.db,
      at,
      error.code === 'not_found' ? { state: 'done' } : { state: 'refused', message },
    );
  }
  return false;
}

async function apply(ctx: OperatorContext, account_id: number, action: BulkAction): Promise<void> {
  switch (action.action) {
    case 'suspend-with-reseller':
      await suspendAccount(ctx, { account_id, with_reseller: true });
      return;
    case 'unsuspend-with-reseller':
      await unsuspendAccount(ctx, { account_id, with_reseller: true });
      return;
    case 'suspend':
      await suspendAccount(ctx, { account_id, reason: action.reason });
      return;
    case 'unsuspend':
      await unsuspendAccount(ctx, { account_id });
      return;
    case 'change-package':
      await changeAccountPackage(ctx, { account_id, package_id: action.package_id, sameIsFine: true });
      return;
    case 'hand-over': {
      const { to, assign_packages } = action;
      await handOverAccount(ctx, { account_id, to, assign_packages, in_bulk_change: true });
      return;
    }
    case 'package-limits':
      await followPackage(ctx, { account_id, ...action });
  }
}

/**
 * What follows when no account waits any more. An account that was refused prevents it. Returns why it was left out, or
 * null.
 */
async function afterwards(ctx: OperatorContext, action: BulkAction): Promise<string | null> {
  try {
    if (action.action === 'change-package' && action.delete_package !== undefined)
      await deletePackage(ctx, { package_id: action.delete_package });
    if (action.action === 'hand-over' && action.delete_reseller !== undefined)
      await deleteReseller(ctx, { ...action.delete_reseller, packages_to: action.to, in_bulk_change: true });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.message.slice(0, MESSAGE_MAX);
  }
  return null;
}

/** Deletes bulk changes 30 days after their end. Returns how many rows it deleted. */
export async function sweepBulkChanges(
  db: OperatorContext['db'],
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return await deleteEndedBulkChanges(db, { before: new Date(now.getTime() - KEPT_MS), limit });
}
