import {
  type Database,
  forgetObservations,
  inTransaction,
  lockNode,
  type NodeHello,
  replaceReservedUsernames,
  resourcesOf,
  startSession,
} from '@innkeeper/db';
import { hasJumped } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import { type NodeSession, unknownNode } from './node-session.ts';

export interface RegisterSessionInput extends NodeSession, NodeHello {
  /** Account names in the node's /etc/passwd that the panel does not own. */
  reserved_usernames: readonly string[];
  /** The node's ledger is incomplete, so its earlier reports are no longer valid. */
  ledger_incomplete: boolean;
  now: Date;
}

export interface RegisteredSession {
  name: string;
  ended_session_id: string | null;
  /** The node reports several times its known memory or disk. The alarm stays until an operator resolves it. */
  has_jumped: boolean;
}

/** Reserved names that could be a username of an account. Other names cannot conflict. */
const CLAIMABLE = /^[a-z0-9_-]{1,17}$/;

/**
 * Starts a node's session. All other sessions of the node are rejected from now on. Returns the session that it ended,
 * if any. Throws DomainError `unauthenticated` for an unknown node.
 */
export async function registerSession(
  db: Kysely<Database>,
  input: RegisterSessionInput,
): Promise<RegisteredSession> {
  const { node_id, reserved_usernames, ledger_incomplete, now, ...hello } = input;
  return inTransaction(db, async (trx) => {
    const node = await lockNode(trx, node_id);
    if (node === undefined) throw unknownNode();
    const { memory_bytes, disk_bytes } = hello;
    const { memory, disk } = resourcesOf({ ...node, memory_bytes, disk_bytes });
    const has_jumped = hasJumped(memory) || hasJumped(disk);
    await startSession(trx, node_id, hello, {
      known_memory_bytes: node.known_memory_bytes ?? memory_bytes,
      known_disk_bytes: node.known_disk_bytes ?? disk_bytes,
      ...(has_jumped && node.capacity_jumped_at === null ? { capacity_jumped_at: now } : {}),
    });
    if (ledger_incomplete) await forgetObservations(trx, node_id);
    const claimable = new Set(reserved_usernames.filter((name) => CLAIMABLE.test(name)));
    await replaceReservedUsernames(trx, node_id, claimable);
    return {
      name: node.name,
      ended_session_id: node.session_id === input.session_id ? null : node.session_id,
      has_jumped,
    };
  });
}
