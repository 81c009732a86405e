import { findUsage, type UsageRow } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { monthOf } from './month.ts';

/**
 * Returns the usage of accounts, measured within the last 60 s if their nodes answer; otherwise the last known usage.
 * Accounts that the actor does not see are left out. The snapshots in the database are the cache for all instances.
 * Costs one SQL statement while they are fresh, otherwise one more and a write, for any number of accounts. Never call
 * it inside a transaction: it can wait for nodes.
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
