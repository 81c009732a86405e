import { countAccountsOnNode, deleteNode } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { changeNode } from './change-node.ts';
import type { NodeRef } from './node-ref.ts';

/**
 * Removes a node. Its agent is rejected from then on. Throws DomainError `precondition_failed` while the node has
 * accounts, including terminating ones. A concurrent creation of an account on the node refers to its row, so one of
 * the two fails.
 */
export async function removeNode(
  ctx: OperatorContext,
  input: { node: NodeRef },
): Promise<{ id: number; name: string }> {
  return changeNode(ctx, input.node, 'node.remove', async (trx, { id, name, address }) => {
    const accounts = await countAccountsOnNode(trx, id);
    if (accounts > 0)
      throw new DomainError(
        'precondition_failed',
        `Node "${name}" still has ${accounts} ${accounts === 1 ? 'account' : 'accounts'}. Delete them first; cordon the node to keep new ones off it.`,
      );
    await deleteNode(trx, id, ctx.now());
    return { details: { before: { name, address } }, result: { id, name } };
  });
}
