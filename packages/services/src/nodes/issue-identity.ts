import { countCertificate, type Database, noteNatsUser } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { CertificateIssue } from '@innkeeper/protocol/identity';
import type { Transaction } from 'kysely';

/** An identity that the control plane can sign for a node. */
export interface IssuedIdentity {
  node_id: number;
  name: string;
  issue: CertificateIssue;
}

/** One hour longer than the lifetime of the NATS user that is signed together with a 24-hour certificate. */
const NATS_USER_SECONDS = 26 * 3_600;

/**
 * Counts a new certificate of a locked node and records its NATS user. Throws DomainError `invalid` for a key in use.
 */
export async function issueIdentity(
  trx: Transaction<Database>,
  nodeId: number,
  natsPublicKey: string,
): Promise<CertificateIssue> {
  const issue = await countCertificate(trx, nodeId);
  const isNoted = await noteNatsUser(trx, {
    public_key: natsPublicKey,
    node_id: nodeId,
    identity_epoch: issue.epoch,
    lifetimeSeconds: NATS_USER_SECONDS,
  });
  if (!isNoted)
    throw new DomainError('invalid', 'nats_public_key belongs to another identity: make a new key.');
  return issue;
}
