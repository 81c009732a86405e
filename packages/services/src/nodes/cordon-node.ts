import { inTransaction, lockNode, setNodeState } from '@innkeeper/db';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../scope.ts';
import { getNodeRow, type NodeRef } from './node-ref.ts';
import { type NodeView, nodeView } from './node-view.ts';

/** Stops placing new accounts on a node. Its accounts stay and are served. Idempotent. */
export async function cordonNode(ctx: OperatorContext, input: { node: NodeRef }): Promise<NodeView> {
  return setNodeStateAs(ctx, input.node, 'cordoned');
}

/** Resumes placing new accounts on a node. Idempotent. */
export async function uncordonNode(ctx: OperatorContext, input: { node: NodeRef }): Promise<NodeView> {
  return setNodeStateAs(ctx, input.node, 'active');
}

async function setNodeStateAs(
  ctx: OperatorContext,
  ref: NodeRef,
  state: 'active' | 'cordoned',
): Promise<NodeView> {
  requireAdmin(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const { id } = await getNodeRow(trx, ref);
    const locked = await lockNode(trx, id);
    if (locked !== undefined && locked.state !== state) {
      await setNodeState(trx, id, state);
      const action = state === 'cordoned' ? 'node.cordon' : 'node.uncordon';
      await audit(trx, ctx, {
        action,
        target: `node:${id}`,
        account_id: null,
        details: { name: locked.name, ...changedFields({ state: locked.state }, { state }) },
      });
    }
    return nodeView(await getNodeRow(trx, id));
  });
}
