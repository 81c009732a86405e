import { type Database, findNodesWithLoad } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import type { EnrolledNode } from './enroll-node.ts';
import { unknownNode } from './node-session.ts';

/** The node of a certificate, for renewing it. Throws DomainError `unauthenticated` once it was removed. */
export async function getEnrolledNode(
  db: Kysely<Database>,
  input: { node_id: number },
): Promise<EnrolledNode> {
  const [row] = await findNodesWithLoad(db, { id: input.node_id });
  if (row === undefined) throw unknownNode();
  return { node_id: row.id, name: row.name };
}
