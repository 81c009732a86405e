import { type AddNodeInput, newNode, parseFields } from '@innkeeper/contract';
import { insertNode, inTransaction } from '@innkeeper/db';
import { requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { issueJoinSecret, JOIN_SECRET_MAX_SECONDS, type JoinSecret } from './join-secret.ts';
import { getNodeRow } from './node-ref.ts';
import { type NodeView, nodeView } from './node-view.ts';

/**
 * Adds a hosting server and returns a one-time secret for its enrolment. `lifetime_seconds` of the secret: 1 to 3600;
 * default: 3600.
 */
export async function addNode(
  ctx: OperatorContext,
  { lifetime_seconds, ...input }: AddNodeInput & { lifetime_seconds?: number },
): Promise<{ node: NodeView } & JoinSecret> {
  requireMay(ctx.actor.role, 'node.add');
  const node = parseFields(newNode, input);
  return inTransaction(ctx.db, async (trx) => {
    const id = await insertNode(trx, { ...node, created_at: ctx.now() });
    const joinSecret = await issueJoinSecret(trx, id, lifetime_seconds ?? JOIN_SECRET_MAX_SECONDS);
    await audit(trx, ctx, {
      action: 'node.add',
      target: `node:${id}`,
      account_id: null,
      details: { after: node },
    });
    return { node: nodeView(await getNodeRow(trx, id)), ...joinSecret };
  });
}
