import { type Database, inTransaction, lockNodeIdentity } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import { type IssuedIdentity, issueIdentity } from './issue-identity.ts';
import { currentIdentity, type PresentedCertificate } from './require-identity.ts';

/**
 * Another certificate of the same identity. A certificate is renewed until a newer one of its node has called:
 * a lost answer locks no agent out, and a copied certificate is worth nothing once the agent has renewed its own.
 * Throws DomainError `unauthenticated` for a certificate that is older, as `requireIdentity` does, and `invalid`
 * for a NATS key of another identity.
 */
export async function renewIdentity(
  db: Kysely<Database>,
  input: PresentedCertificate & { nats_public_key: string },
): Promise<IssuedIdentity> {
  const { node_id, issue } = input;
  return inTransaction(db, async (trx) => {
    const node = currentIdentity(await lockNodeIdentity(trx, node_id), issue);
    // Certificates of releases before this one have no number. They expire within 24 hours of the upgrade.
    if (issue.number !== 0 && issue.number < node.certificate_used)
      throw new DomainError(
        'unauthenticated',
        'A newer certificate of this node is in use; this one is not renewed. If nobody restored an old one, it was copied: revoke the node.',
      );
    return { node_id, name: node.name, issue: await issueIdentity(trx, node_id, input.nats_public_key) };
  });
}
