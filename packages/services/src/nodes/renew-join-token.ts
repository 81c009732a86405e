import { inTransaction, lockNode } from '@innkeeper/db';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../scope.ts';
import { issueJoinSecret, JOIN_SECRET_MAX_SECONDS, type JoinSecret } from './join-secret.ts';
import { getNodeRow, type NodeRef } from './node-ref.ts';
import { type NodeView, nodeView } from './node-view.ts';

/**
 * Creates a new one-time join secret for a node that never enrolled or was reinstalled. Earlier secrets stop working. A
 * running agent keeps its identity until the new secret is used.
 */
export async function renewJoinToken(
  ctx: OperatorContext,
  input: { node: NodeRef; lifetime_seconds?: number },
): Promise<{ node: NodeView } & JoinSecret> {
  requireAdmin(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const node = nodeView(await getNodeRow(trx, input.node));
    await lockNode(trx, node.id);
    const joinSecret = await issueJoinSecret(trx, node.id, input.lifetime_seconds ?? JOIN_SECRET_MAX_SECONDS);
    await audit(trx, ctx, {
      action: 'node.renew-join-token',
      target: `node:${node.id}`,
      account_id: null,
      details: { name: node.name, replaced: ['join token'], expires_at: joinSecret.expires_at },
    });
    return { node, ...joinSecret };
  });
}
