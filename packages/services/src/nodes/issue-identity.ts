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

/** An hour longer than the NATS user that is signed with a certificate of 24 hours. */
const NATS_USER_SECONDS = 26 * 3_600;

/** Counts another certificate and NATS user of a locked node. Throws DomainError `invalid` for a key in use. */
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
