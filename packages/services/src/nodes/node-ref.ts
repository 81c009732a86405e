import { type Database, findNodesWithLoad, type NodeWithLoad } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';

/** A node as an operator names it: its id, or its name (which is never a number). */
export type NodeRef = number | string;

/** Throws DomainError `not_found` with the name or id of the node. */
export async function getNodeRow(db: Kysely<Database>, ref: NodeRef): Promise<NodeWithLoad> {
  const isId = typeof ref === 'number' || /^\d{1,15}$/.test(ref);
  const [row] = await findNodesWithLoad(db, isId ? { id: Number(ref) } : { name: ref });
  if (row === undefined) throw noNode(ref);
  return row;
}

export function noNode(ref: NodeRef): DomainError {
  return new DomainError('not_found', `There is no node "${String(ref).slice(0, 63)}".`);
}
