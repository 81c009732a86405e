import { type Database, noteHeartbeat } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import { type NodeSession, requireNewestSession } from './node-session.ts';

/**
 * Notes that a node lives, with how many accounts its ledger has and how many of them are not as they
 * should be, and what it holds less than promised: one statement. Throws as `requireNewestSession` does.
 */
export async function heartbeat(
  db: Kysely<Database>,
  input: NodeSession & { accounts: number; accounts_failed: number; warnings: readonly string[] },
): Promise<void> {
  if (!(await noteHeartbeat(db, input))) await requireNewestSession(db, input);
}
