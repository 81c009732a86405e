import { type Database, inTransaction, lockJoinToken, spendJoinToken } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import { audit } from '../audit.ts';
import { hashSecret } from '../secret-hash.ts';
import { nodeAsActor } from './node-actor.ts';

export interface EnrolledNode {
  node_id: number;
  name: string;
}

/**
 * Spends a join secret for the node it was made for: of any number at once exactly one does. Throws
 * DomainError `forbidden` for a secret that is unknown, used or expired (by database time).
 */
export async function enrollNode(
  db: Kysely<Database>,
  input: { secret: string /** The peer's address, for the audit log. */; address?: string },
): Promise<EnrolledNode> {
  return inTransaction(db, async (trx) => {
    const token = await lockJoinToken(trx, hashSecret(input.secret));
    if (token === undefined) throw refusal('is unknown: a newer one took its place, or its node was removed');
    if (token.used === 1) throw refusal('was used already');
    if (token.expired === 1) throw refusal('has expired');
    await spendJoinToken(trx, token);
    await audit(trx, nodeAsActor(token.node_id, new Date()), {
      action: 'node.enroll',
      target: `node:${token.node_id}`,
      account_id: null,
      details: input.address === undefined ? {} : { address: input.address },
    });
    return { node_id: token.node_id, name: token.node_name };
  });
}

function refusal(why: string): DomainError {
  return new DomainError('forbidden', `The join token ${why}. Make a new one with innctl.`);
}
