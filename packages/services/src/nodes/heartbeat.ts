import { type Database, noteHeartbeat } from '@innkeeper/db';
import type { NodeFigures } from '@innkeeper/protocol';
import type { Kysely } from 'kysely';
import { type NodeSession, requireNewestSession } from './node-session.ts';

/**
 * Records that a node is alive, the number of accounts in its ledger and how many of them are failing, and its warnings
 * about guarantees that it does not meet, and its figures. One SQL statement. Throws like `requireNewestSession`.
 */
export async function heartbeat(
  db: Kysely<Database>,
  input: NodeSession & {
    accounts: number;
    accounts_failed: number;
    warnings: readonly string[];
    figures: NodeFigures;
  },
): Promise<void> {
  if (!(await noteHeartbeat(db, input))) await requireNewestSession(db, input);
}
