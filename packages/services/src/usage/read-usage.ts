import { findUsage, type UsageRow } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { monthOf } from './month.ts';

/**
 * What accounts use, measured within the last 60 s where their nodes answer; else the last that is known.
 * Accounts that the actor does not see are left out. The snapshots in the database are the cache, for all
 * instances: one statement while they are fresh, else one more, and a write, whatever the number of accounts.
 * Never to be called inside a transaction: it may wait for nodes.
 */
export async function readUsage(
  ctx: ServiceContext,
  accountIds: readonly number[],
): Promise<Map<number, UsageRow>> {
  const wanted = { accountIds, month: monthOf(ctx.now()) };
  let rows = await findUsage(ctx.db, scopeOf(ctx.actor), wanted);
  const stale = rows.filter(({ is_fresh }) => is_fresh === 0);
  if (stale.length > 0 && (await ctx.refreshUsage(stale)))
    rows = await findUsage(ctx.db, scopeOf(ctx.actor), wanted);
  return new Map(rows.map((row) => [row.id, row]));
}
