import { findNodesWithLoad } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../require-admin.ts';
import { type NodeView, nodeView } from './node-view.ts';

/** Every node by name, with what its accounts may take of it: one statement. */
export async function listNodes(ctx: OperatorContext): Promise<NodeView[]> {
  requireAdmin(ctx);
  return (await findNodesWithLoad(ctx.db, undefined)).map(nodeView);
}
