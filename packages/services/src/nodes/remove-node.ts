import { countAccountsOnNode, deleteNode, inTransaction, lockNode } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../scope.ts';
import { getNodeRow, type NodeRef } from './node-ref.ts';

/**
 * Removes a node. Its agent is rejected from then on. Throws DomainError `precondition_failed` while the node has
 * accounts, including terminating ones. A concurrent creation of an account on the node refers to its row, so one of
 * the two fails.
 */
export async function removeNode(
  ctx: OperatorContext,
  input: { node: NodeRef },
): Promise<{ id: number; name: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const { id, name, address } = await getNodeRow(trx, input.node);
    await lockNode(trx, id);
    const accounts = await countAccountsOnNode(trx, id);
    if (accounts > 0)
      throw new DomainError(
        'precondition_failed',
        `Node "${name}" still has ${accounts} ${accounts === 1 ? 'account' : 'accounts'}. Delete them first; cordon the node to keep new ones off it.`,
      );
    await deleteNode(trx, id);
    await audit(trx, ctx, {
      action: 'node.remove',
      target: `node:${id}`,
      account_id: null,
      details: { before: { name, address } },
    });
    return { id, name };
  });
}
