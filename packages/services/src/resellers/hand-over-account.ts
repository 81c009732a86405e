import type { AccountView } from '@innkeeper/contract';
import {
  type AccountRow,
  type Database,
  deleteSessionsAs,
  findHandedPackages,
  findManagerOf,
} from '@innkeeper/db';
import type { Transaction } from 'kysely';
import { loadAccountView } from '../accounts/account-view.ts';
import { requireNoBulkChange } from '../bulk-changes/begin-bulk-change.ts';
import type { OperatorContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { assignTo } from '../packages/assign-package.ts';
import { findNewManager, type NewManager, requireActive, requireRoom } from './new-manager.ts';

/**
 * Gives an account to a reseller, or to the operator itself (`to` is null). The account keeps its package and its limits,
 * and takes them from the pool of the reseller that gets it. `assign_packages`: that reseller may then sell the package,
 * if it is the operator's. An account that was suspended together with its former reseller becomes active. The former
 * reseller no longer sees the account, and its sessions as the customer end. Has nothing to change if the account has
 * that manager already.
 *
 * Throws `not_found`; `precondition_failed` while the account is being terminated, and while a bulk change of its reseller
 * runs, unless it is the caller; `invalid` on `to` for a reseller that is suspended, and for a pool with too little left.
 */
export async function handOverAccount(
  ctx: OperatorContext,
  {
    account_id,
    to,
    assign_packages = false,
    in_bulk_change = false,
  }: { account_id: number; to: string | null; assign_packages?: boolean; in_bulk_change?: boolean },
): Promise<Written<AccountView>> {
  const manager = await findNewManager(ctx.db, to);
  const asked = {
    action: 'account.hand-over',
    kind: 'account',
    id: account_id,
    isPooled: true,
    toReseller: manager?.id ?? null,
  } as const;
  return await changeDesired(ctx, asked, async (trx, account) => {
    const view = () => loadAccountView(trx, ctx.actor, account.id);
    const { reseller_user_id: from } = account;
    if (from === (manager?.id ?? null)) return { details: null, view };
    if (from !== null && !in_bulk_change) await requireNoBulkChange(trx, `user:${from}`);
    await requireActive(trx, manager);
    await requireRoom(trx, manager, { account_id });
    const assigned = assign_packages ? await assignPackageOf(trx, ctx, account, manager) : null;
    const sessions_ended =
      from === null ? 0 : await deleteSessionsAs(trx, { user_id: account.user_id, operator_user_id: from });
    const before = from === null ? null : ((await findManagerOf(trx, account.id))?.username ?? null);
    const comesBack = account.suspended_with_reseller === 1;
    return {
      details: {
        username: account.username,
        before: { reseller: before, ...(comesBack ? { status: account.state } : {}) },
        after: { reseller: manager?.username ?? null, ...(comesBack ? { status: 'active' } : {}) },
        ...(assigned === null ? {} : { assigned }),
        ...(sessions_ended === 0 ? {} : { sessions_ended }),
      },
      account: {
        reseller_user_id: manager?.id ?? null,
        ...(comesBack ? { state: 'active', suspended_with_reseller: 0, suspension_reason: null } : {}),
      },
      view,
    };
  });
}

/** Returns the name of the package that the reseller may sell now. Null: it may sell it already, or never. */
async function assignPackageOf(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  { id }: AccountRow,
  to: NewManager,
): Promise<string | null> {
  if (to === null) return null;
  const [found] = await findHandedPackages(trx, { account_id: id }, to.id);
  if (found === undefined || !isAssignable(found)) return null;
  await assignTo(trx, ctx, found, to);
  return found.name;
}

/** Whether another reseller can be allowed to sell a package that it may not sell yet. */
export function isAssignable(found: {
  owner_user_id: number | null;
  is_internal: number;
  is_assigned: number;
}): boolean {
  return found.owner_user_id === null && found.is_internal === 0 && found.is_assigned === 0;
}
