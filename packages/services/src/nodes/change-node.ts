import { type Database, inTransaction, lockNode, type NodeWithLoad } from '@innkeeper/db';
import { type Action, requireMay } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { getNodeRow, type NodeRef, noNode } from './node-ref.ts';

export type LockedNode = NonNullable<Awaited<ReturnType<typeof lockNode>>>;

interface NodeChange<Result> {
  /** Details for the audit log. Null: nothing has changed. */
  details: Readonly<Record<string, unknown>> | null;
  result: Result;
}

/**
 * Changes a node for an admin, in one transaction with its audit entry. Throws DomainError `forbidden` and `not_found`.
 */
export async function changeNode<Result>(
  ctx: OperatorContext,
  ref: NodeRef,
  action: Action,
  change: (trx: Transaction<Database>, node: NodeWithLoad, locked: LockedNode) => Promise<NodeChange<Result>>,
): Promise<Result> {
  requireMay(ctx.actor.role, action);
  return await inTransaction(ctx.db, async (trx) => {
    const node = await getNodeRow(trx, ref);
    const locked = await lockNode(trx, node.id);
    if (locked === undefined) throw noNode(ref);
    const { details, result } = await change(trx, node, locked);
    const entry = { action, target: `node:${node.id}`, account_id: null };
    if (details !== null) await audit(trx, ctx, { ...entry, details });
    return result;
  });
}
