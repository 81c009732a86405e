import { type Database, findSessionId } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Kysely } from 'kysely';

/** Session of a node’s agent, sent with every call after the first. */
export interface NodeSession {
  node_id: number;
  session_id: string;
}

/** The error for a node that was removed or never existed. */
export function unknownNode(): DomainError {
  return new DomainError(
    'unauthenticated',
    'This node is unknown to the control plane: it was removed. Enrol it anew to use it again.',
  );
}

/**
 * Throws `precondition_failed` for a session that is not the node's newest, and `unauthenticated` for an unknown node.
 */
export async function requireNewestSession(db: Kysely<Database>, session: NodeSession): Promise<void> {
  assertNewestSession(session, await findSessionId(db, session.node_id));
}

/** Throws like `requireNewestSession`. `newest`: null before the first session; undefined if there is no such node. */
export function assertNewestSession(session: NodeSession, newest: string | null | undefined): void {
  if (newest === undefined) throw unknownNode();
  if (newest !== session.session_id)
    throw new DomainError(
      'precondition_failed',
      'A later agent has started a session as this node; this session is over and must stop applying.',
    );
}
