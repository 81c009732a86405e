import { type Database, findNodeIdentity, type NodeIdentityState, noteCertificateUse } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { CertificateIssue } from '@innkeeper/protocol/identity';
import type { Kysely } from 'kysely';
import { unknownNode } from './node-session.ts';

/** The certificate that a node presented. */
export interface PresentedCertificate {
  node_id: number;
  issue: CertificateIssue;
}

/**
 * Throws DomainError `unauthenticated` for a certificate of a removed node, or of an identity that ended because the
 * node was enrolled again or revoked. Records the first use of a newer certificate.
 */
export async function requireIdentity(db: Kysely<Database>, presented: PresentedCertificate): Promise<void> {
  const { node_id, issue } = presented;
  const node = currentIdentity(await findNodeIdentity(db, node_id), issue);
  if (issue.number > node.certificate_used) await noteCertificateUse(db, node_id, issue);
}

/** Throws like `requireIdentity`. */
export function currentIdentity(
  node: NodeIdentityState | undefined,
  issue: CertificateIssue,
): NodeIdentityState {
  if (node === undefined) throw unknownNode();
  if (issue.epoch === node.identity_epoch) return node;
  throw new DomainError(
    'unauthenticated',
    'This identity has ended: the node was enrolled again, or its identity was revoked. Enrol it anew to use it again.',
  );
}
