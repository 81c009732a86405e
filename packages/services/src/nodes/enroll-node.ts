import {
  type Database,
  findJoinToken,
  inTransaction,
  lockJoinToken,
  type PresentedJoinToken,
  raiseIdentityEpoch,
  spendJoinToken,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import { audit } from '../audit.ts';
import { hashSecret } from '../secrets/random-secrets.ts';
import { type IssuedIdentity, issueIdentity } from './issue-identity.ts';
import { nodeAsActor } from './node-actor.ts';

/**
 * Throws like `enrollNode` for a join secret that is not valid now, without using it. Call it first, so that callers
 * without a secret cause no other work.
 */
export async function requireJoinSecret(db: Kysely<Database>, secret: string): Promise<void> {
  usableToken(await findJoinToken(db, hashSecret(secret)));
}

/**
 * Uses a join secret for the node that it was created for. Of any number of concurrent attempts exactly one succeeds.
 * Ends every earlier identity of the node, and its session. Throws DomainError `forbidden` for a secret that is
 * unknown, used or expired (by database time), and `invalid` for a NATS key of another identity.
 */
export async function enrollNode(
  db: Kysely<Database>,
  input: {
    secret: string;
    nats_public_key: string;
    /** The peer's address, for the audit log. */
    address?: string;
    now: Date;
  },
): Promise<IssuedIdentity> {
  return inTransaction(db, async (trx) => {
    const token = usableToken(await lockJoinToken(trx, hashSecret(input.secret)));
    await spendJoinToken(trx, token);
    await raiseIdentityEpoch(trx, token.node_id);
    const issue = await issueIdentity(trx, token.node_id, input.nats_public_key);
    await audit(trx, nodeAsActor(token.node_id, input.now), {
      action: 'node.enroll',
      target: `node:${token.node_id}`,
      account_id: null,
      details: input.address === undefined ? {} : { address: input.address },
    });
    return { node_id: token.node_id, name: token.node_name, issue };
  });
}

function usableToken(token: PresentedJoinToken | undefined): PresentedJoinToken {
  if (token === undefined) throw refusal('is unknown: a newer one took its place, or its node was removed');
  if (token.used === 1) throw refusal('was used already');
  if (token.expired === 1) throw refusal('has expired');
  return token;
}

function refusal(why: string): DomainError {
  return new DomainError('forbidden', `The join token ${why}. Make a new one with innctl.`);
}
