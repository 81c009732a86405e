import { type InputOf, nodeCapacity, parseFields } from '@innkeeper/contract';
import { type NodeCapacity, resourcesOf, updateNodeCapacity } from '@innkeeper/db';
import { type Action, hasJumped } from '@innkeeper/domain';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { changeNode, type LockedNode } from './change-node.ts';
import { getNodeRow, type NodeRef } from './node-ref.ts';
import { type NodeView, nodeView } from './node-view.ts';

/**
 * Sets the maximum capacity for placement. An alarm about a capacity jump ends when every value that jumped is set.
 * Throws DomainError `invalid` with the fields.
 */
export async function setNodeCapacity(
  ctx: OperatorContext,
  { node, ...input }: InputOf<typeof nodeCapacity> & { node: NodeRef },
): Promise<NodeView> {
  return changeCapacity(ctx, node, 'node.set-capacity', (row) => {
    const { memory_mb, disk_mb } = parseFields(nodeCapacity, input);
    const set = {
      allocatable_memory_mb: memory_mb === undefined ? row.allocatable_memory_mb : memory_mb,
      allocatable_disk_mb: disk_mb === undefined ? row.allocatable_disk_mb : disk_mb,
    };
    const { memory, disk } = resourcesOf({ ...row, ...set });
    const jumped = hasJumped(memory) || hasJumped(disk);
    return { ...set, capacity_jumped_at: jumped ? (row.capacity_jumped_at ?? ctx.now()) : null };
  });
}

/** Accepts the reported memory and disk of a node as known. For a server that was enlarged. */
export async function acceptNodeCapacity(ctx: OperatorContext, input: { node: NodeRef }): Promise<NodeView> {
  return changeCapacity(ctx, input.node, 'node.accept-capacity', (node) => ({
    known_memory_bytes: node.memory_bytes,
    known_disk_bytes: node.disk_bytes,
    capacity_jumped_at: null,
  }));
}

async function changeCapacity(
  ctx: OperatorContext,
  ref: NodeRef,
  action: Action,
  changeOf: (node: LockedNode) => NodeCapacity,
): Promise<NodeView> {
  return changeNode(ctx, ref, action, async (trx, { id }, locked) => {
    const change = changeOf(locked);
    await updateNodeCapacity(trx, id, change);
    const { capacity_jumped_at: _, ...told } = change;
    const changed = changedFields({ ...locked }, told);
    const details = Object.keys(changed.after).length > 0 ? { name: locked.name, ...changed } : null;
    return { details, result: nodeView(await getNodeRow(trx, id)) };
  });
}
