import { findNodesWithLoad } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../scope.ts';
import { type NodeView, nodeView } from './node-view.ts';

/** All nodes, ordered by name, with the allocation of their accounts, in one SQL statement. */
export async function listNodes(ctx: OperatorContext): Promise<NodeView[]> {
  requireAdmin(ctx);
  return (await findNodesWithLoad(ctx.db, undefined)).map(nodeView);
}
