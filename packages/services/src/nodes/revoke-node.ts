import { raiseIdentityEpoch } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { changeNode } from './change-node.ts';
import type { NodeRef } from './node-ref.ts';

/**
 * Ends every identity of a node. Its agent, and anyone with a copy of its keys, is rejected from then on. Its accounts
 * stay on the node and are served. A new join token brings the node back. The caller revokes the NATS users.
 */
export async function revokeNode(
  ctx: OperatorContext,
  input: { node: NodeRef },
): Promise<{ id: number; name: string; accounts: number }> {
  return changeNode(ctx, input.node, 'node.revoke', async (trx, { id, name, account_count: accounts }) => {
    await raiseIdentityEpoch(trx, id);
    return { details: { name, replaced: ['identity'] }, result: { id, name, accounts } };
  });
}
