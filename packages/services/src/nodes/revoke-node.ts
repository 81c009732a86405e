import { inTransaction, lockNode, raiseIdentityEpoch } from '@innkeeper/db';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../scope.ts';
import { getNodeRow, type NodeRef } from './node-ref.ts';

/**
 * Ends every identity of a node. Its agent, and anyone with a copy of its keys, is rejected from then on. Its accounts
 * stay on the node and are served. A new join token brings the node back. The caller revokes the NATS users.
 */
export async function revokeNode(
  ctx: OperatorContext,
  input: { node: NodeRef },
): Promise<{ id: number; name: string; accounts: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const { id, name, account_count } = await getNodeRow(trx, input.node);
    await lockNode(trx, id);
    await raiseIdentityEpoch(trx, id);
    await audit(trx, ctx, {
      action: 'node.revoke',
      target: `node:${id}`,
      account_id: null,
      details: { name, replaced: ['identity'] },
    });
    return { id, name, accounts: account_count };
  });
}
