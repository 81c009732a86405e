import { type InputOf, nodeCapacity, parseFields } from '@innkeeper/contract';
import { inTransaction, lockNode, type NodeCapacity, resourcesOf, updateNodeCapacity } from '@innkeeper/db';
import { hasJumped } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../scope.ts';
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
  requireAdmin(ctx);
  const { memory_mb, disk_mb } = parseFields(nodeCapacity, input);
  return changeCapacity(ctx, node, 'node.set-capacity', (row) => {
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
  requireAdmin(ctx);
  return changeCapacity(ctx, input.node, 'node.accept-capacity', (node) => ({
    known_memory_bytes: node.memory_bytes,
    known_disk_bytes: node.disk_bytes,
    capacity_jumped_at: null,
  }));
}

type LockedNode = NonNullable<Awaited<ReturnType<typeof lockNode>>>;

async function changeCapacity(
  ctx: OperatorContext,
  ref: NodeRef,
  action: string,
  changeOf: (node: LockedNode) => NodeCapacity,
): Promise<NodeView> {
  return inTransaction(ctx.db, async (trx) => {
    const { id } = await getNodeRow(trx, ref);
    const locked = await lockNode(trx, id);
    if (locked !== undefined) {
      const change = changeOf(locked);
      await updateNodeCapacity(trx, id, change);
      const { capacity_jumped_at: _, ...told } = change;
      const changed = changedFields({ ...locked }, told);
      if (Object.keys(changed.after).length > 0)
        await audit(trx, ctx, {
          action,
          target: `node:${id}`,
          account_id: null,
          details: { name: locked.name, ...changed },
        });
    }
    return nodeView(await getNodeRow(trx, id));
  });
}
