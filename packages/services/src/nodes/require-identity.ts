import { type Database, findNodeIdentity, type NodeIdentityState, noteCertificateUse } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { CertificateIssue } from '@innkeeper/protocol/identity';
import type { Kysely } from 'kysely';
import { together } from '../together.ts';
import { unknownNode } from './node-session.ts';

/** The certificate that a node presented. */
export interface PresentedCertificate {
  node_id: number;
  issue: CertificateIssue;
}

export type RequireIdentity = (presented: PresentedCertificate) => Promise<void>;

/**
 * Throws DomainError `unauthenticated` for a certificate of a removed node, or of an identity that ended because the
 * node was enrolled again or revoked. Records the first use of a newer certificate. Calls of a node that arrive together
 * share a read, which starts after the last of them: an identity that ended before a call is refused.
 */
export function createRequireIdentity(db: Kysely<Database>): RequireIdentity {
  const find = together((nodeIds: readonly number[]) => {
    const nodes = new Map([...new Set(nodeIds)].map((nodeId) => [nodeId, findNodeIdentity(db, nodeId)]));
    return nodeIds.map(async (nodeId) => await nodes.get(nodeId));
  });
  return async ({ node_id, issue }) => {
    const node = currentIdentity(await find(node_id), issue);
    if (issue.number > node.certificate_used) await noteCertificateUse(db, node_id, issue);
  };
}

/** Throws like `RequireIdentity`. */
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
