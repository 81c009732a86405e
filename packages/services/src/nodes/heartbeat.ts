import { type Database, noteHeartbeat } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import { type NodeSession, requireNewestSession } from './node-session.ts';

/**
 * Notes that a node lives, with how many accounts its ledger has and how many of them are not as they
 * should be: one statement. Throws as `requireNewestSession` does.
 */
export async function heartbeat(
  db: Kysely<Database>,
  input: NodeSession & { accounts: number; accounts_failed: number },
): Promise<void> {
  if (!(await noteHeartbeat(db, input))) await requireNewestSession(db, input);
}
