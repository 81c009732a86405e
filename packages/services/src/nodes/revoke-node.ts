import { inTransaction, lockNode, raiseIdentityEpoch } from '@innkeeper/db';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../require-admin.ts';
import { getNodeRow, type NodeRef } from './node-ref.ts';

/**
 * Ends every identity of a node: its agent, and whoever has a copy of its keys, is refused from then on. Accounts
 * stay where they are and are served. A join token brings the node back. NATS is told by the caller.
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
