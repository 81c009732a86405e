import { inTransaction, lockNode, type NodeCapacity, resourcesOf, updateNodeCapacity } from '@innkeeper/db';
import { hasJumped } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { OperatorContext } from '../context.ts';
import { FieldCheck } from '../field-check.ts';
import { requireAdmin } from '../require-admin.ts';
import { getNodeRow, type NodeRef } from './node-ref.ts';
import { type NodeView, nodeView } from './node-view.ts';

/** Maximum values in MiB: 128 TiB of memory and 4 PiB of disk, the same as for reported values. */
const MOST_MEMORY_MB = 128 * 1024 ** 2;
const MOST_DISK_MB = 4 * 1024 ** 3;

export interface NodeCapacityInput {
  node: NodeRef;
  /** Maximum for placement in MiB. Null: the reported value. Undefined: no change. */
  memory_mb?: number | null;
  disk_mb?: number | null;
}

/**
 * Sets the maximum capacity for placement. An alarm about a capacity jump ends when every value that jumped is set.
 * Throws DomainError `invalid` with the fields.
 */
export async function setNodeCapacity(ctx: OperatorContext, input: NodeCapacityInput): Promise<NodeView> {
  requireAdmin(ctx);
  const { memory_mb, disk_mb } = input;
  const check = new FieldCheck();
  if (typeof memory_mb === 'number') check.integer('memory_mb', memory_mb, { min: 1, max: MOST_MEMORY_MB });
  if (typeof disk_mb === 'number') check.integer('disk_mb', disk_mb, { min: 1, max: MOST_DISK_MB });
  check.settle();
  return changeCapacity(ctx, input.node, 'node.set-capacity', (node) => {
    const set = {
      allocatable_memory_mb: memory_mb === undefined ? node.allocatable_memory_mb : memory_mb,
      allocatable_disk_mb: disk_mb === undefined ? node.allocatable_disk_mb : disk_mb,
    };
    const { memory, disk } = resourcesOf({ ...node, ...set });
    const jumped = hasJumped(memory) || hasJumped(disk);
    return { ...set, capacity_jumped_at: jumped ? (node.capacity_jumped_at ?? ctx.now()) : null };
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
