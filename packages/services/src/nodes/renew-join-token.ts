import type { OperatorContext } from '../context.ts';
import { changeNode } from './change-node.ts';
import { issueJoinSecret, JOIN_SECRET_MAX_SECONDS, type JoinSecret } from './join-secret.ts';
import type { NodeRef } from './node-ref.ts';
import { type NodeView, nodeView } from './node-view.ts';

/**
 * Creates a new one-time join secret for a node that never enrolled or was reinstalled. Earlier secrets stop working. A
 * running agent keeps its identity until the new secret is used.
 */
export async function renewJoinToken(
  ctx: OperatorContext,
  input: { node: NodeRef; lifetime_seconds?: number },
): Promise<{ node: NodeView } & JoinSecret> {
  return changeNode(ctx, input.node, 'node.renew-join-token', async (trx, node) => {
    const joinSecret = await issueJoinSecret(trx, node.id, input.lifetime_seconds ?? JOIN_SECRET_MAX_SECONDS);
    const details = { name: node.name, replaced: ['join token'], expires_at: joinSecret.expires_at };
    return { details, result: { node: nodeView(node), ...joinSecret } };
  });
}
