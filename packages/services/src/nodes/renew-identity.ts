import { type Database, inTransaction, lockNodeIdentity } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import { type IssuedIdentity, issueIdentity } from './issue-identity.ts';
import { currentIdentity, type PresentedCertificate } from './require-identity.ts';

/**
 * Signs another certificate of the same identity. A certificate can be renewed until a newer one of its node has been
 * used. So a lost response does not lock an agent out, and a copied certificate is useless after the agent has renewed
 * its own. Throws DomainError `unauthenticated` for an older certificate, like `RequireIdentity`, and `invalid` for a
 * NATS key of another identity.
 */
export async function renewIdentity(
  db: Kysely<Database>,
  input: PresentedCertificate & { nats_public_key: string },
): Promise<IssuedIdentity> {
  const { node_id, issue } = input;
  return inTransaction(db, async (trx) => {
    const node = currentIdentity(await lockNodeIdentity(trx, node_id), issue);
    // Certificates of earlier releases have no number. They expire within 24 hours of the upgrade.
    if (issue.number !== 0 && issue.number < node.certificate_used)
      throw new DomainError(
        'unauthenticated',
        'A newer certificate of this node is in use; this one is not renewed. If nobody restored an old one, it was copied: revoke the node.',
      );
    return { node_id, name: node.name, issue: await issueIdentity(trx, node_id, input.nats_public_key) };
  });
}
