import type { UsageView } from '@innkeeper/contract';
import { findUsage } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { monthOf } from './month.ts';
import { usageView } from './usage-view.ts';

/**
 * The last measured usage of accounts, without asking their servers. Accounts that the actor does not see, and those that
 * were never measured, are left out. One SQL statement.
 */
export async function listStoredUsage(
  ctx: OperatorContext,
  { account_ids }: { account_ids: readonly number[] },
): Promise<Map<number, UsageView>> {
  const wanted = { accountIds: account_ids, month: monthOf(ctx.now()) };
  const rows = await findUsage(ctx.db, scopeOf(ctx.actor), wanted);
  return new Map(rows.flatMap((row) => (row.taken_at === null ? [] : [[row.id, usageView(row)] as const])));
}
