import type { OperatorContext } from '../context.ts';
import { requireStaff } from '../scope.ts';
import { getNodeRow, type NodeRef } from './node-ref.ts';
import { type NodeView, nodeView } from './node-view.ts';

/** Throws DomainError `not_found`. */
export async function getNode(ctx: OperatorContext, input: { node: NodeRef }): Promise<NodeView> {
  requireStaff(ctx);
  return nodeView(await getNodeRow(ctx.db, input.node));
}
