import { findNodesWithLoad } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireStaff } from '../scope.ts';
import { type NodeView, nodeView } from './node-view.ts';

/** All nodes, ordered by name, with the allocation of their accounts, in one SQL statement. */
export async function listNodes(ctx: OperatorContext): Promise<NodeView[]> {
  requireStaff(ctx);
  return (await findNodesWithLoad(ctx.db, undefined)).map(nodeView);
}
