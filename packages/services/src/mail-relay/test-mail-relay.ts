import { type InputOf, mailRelayTest, parseFields } from '@innkeeper/contract';
import { DomainError, requireMay } from '@innkeeper/domain';
import type { Answer } from '@innkeeper/protocol';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { getNodeRow, type NodeRef } from '../nodes/node-ref.ts';

/** The last test mail of a server. */
export type RelayTest = Answer<'mail-test'>;

/**
 * Asks a server to send a test mail through its queue and its relay. Throws `invalid` with the field, `not_found`,
 * `unavailable` if the server does not answer, and `conflict` while it has no relay.
 */
export async function testMailRelay(
  ctx: OperatorContext,
  { node, ...input }: InputOf<typeof mailRelayTest> & { node: NodeRef },
): Promise<RelayTest> {
  requireMay(ctx.actor.role, 'mail-relay.test');
  const { to } = parseFields(mailRelayTest, input);
  const { id, name } = await getNodeRow(ctx.db, node);
  const answer = await ctx.askNode(id, 'mail-test', { to });
  if (answer === undefined)
    throw new DomainError('unavailable', 'The server did not answer. It may be offline; try again later.');
  if (answer.state === 'no-relay')
    throw new DomainError(
      'conflict',
      'The server has no relay yet. It applies a saved relay within seconds.',
    );
  await ctx.db.transaction().execute((trx) =>
    audit(trx, ctx, {
      action: 'mail-relay.test',
      target: `node:${id}`,
      account_id: null,
      details: { name, to },
    }),
  );
  return answer;
}

/** The outcome of the last test mail of a server. Undefined: it does not answer. For admins. */
export async function findRelayTest(
  ctx: OperatorContext,
  { node }: { node: NodeRef },
): Promise<RelayTest | undefined> {
  requireMay(ctx.actor.role, 'mail-relay.test');
  const { id } = await getNodeRow(ctx.db, node);
  return await ctx.askNode(id, 'mail-test', { to: null });
}
