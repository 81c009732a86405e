import { findNodeNames } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireStaff } from '../scope.ts';

/** Ids and names of all nodes, ordered by name. Without their load, because computing it reads all accounts. */
export async function listNodeNames(ctx: OperatorContext): Promise<{ id: number; name: string }[]> {
  requireStaff(ctx);
  return await findNodeNames(ctx.db);
}
