import { setNodeState } from '@innkeeper/db';
import type { Action } from '@innkeeper/domain';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { changeNode } from './change-node.ts';
import { getNodeRow, type NodeRef } from './node-ref.ts';
import { type NodeView, nodeView } from './node-view.ts';

/** Stops placing new accounts on a node. Its accounts stay and are served. Idempotent. */
export async function cordonNode(ctx: OperatorContext, input: { node: NodeRef }): Promise<NodeView> {
  return changeState(ctx, input.node, 'node.cordon', 'cordoned');
}

/** Resumes placing new accounts on a node. Idempotent. */
export async function uncordonNode(ctx: OperatorContext, input: { node: NodeRef }): Promise<NodeView> {
  return changeState(ctx, input.node, 'node.uncordon', 'active');
}

async function changeState(
  ctx: OperatorContext,
  ref: NodeRef,
  action: Action,
  state: 'active' | 'cordoned',
): Promise<NodeView> {
  return changeNode(ctx, ref, action, async (trx, { id }, { name, state: before }) => {
    if (before !== state) await setNodeState(trx, id, state);
    const details = before === state ? null : { name, ...changedFields({ state: before }, { state }) };
    return { details, result: nodeView(await getNodeRow(trx, id)) };
  });
}
