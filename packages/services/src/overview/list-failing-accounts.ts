import { findFailingAccounts } from '@innkeeper/db';
import { isStaffRole } from '@innkeeper/domain';
import { listProblems, type Problem } from '../accounts/list-problems.ts';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';

export interface FailingAccount {
  id: number;
  username: string;
  /** Null for a reseller, who does not see servers. */
  node: { id: number; name: string } | null;
  problems: readonly Problem[];
}

/**
 * The newest accounts that the actor sees and whose server could not apply the last change, at most `limit`, with all of
 * their problems. `has_more`: there are others. Two SQL statements.
 */
export async function listFailingAccounts(
  ctx: OperatorContext,
  { node_id, limit }: { node_id?: number; limit: number },
): Promise<{ items: FailingAccount[]; has_more: boolean }> {
  const rows = await findFailingAccounts(ctx.db, operatorScopeOf(ctx.actor), {
    nodeId: node_id,
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const problems = await listProblems(ctx, { account_ids: shown.map(({ id }) => id) });
  const items = shown.map(({ id, username, ...of }) => ({
    id,
    username,
    node: isStaffRole(ctx.actor.role) ? { id: of.node_id, name: of.node_name } : null,
    problems: problems.get(id) ?? [],
  }));
  return { items, has_more: rows.length > limit };
}
