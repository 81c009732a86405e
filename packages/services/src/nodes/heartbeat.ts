import { type Database, noteHeartbeat } from '@innkeeper/db';
import type { NodeFigures } from '@innkeeper/protocol';
import type { Kysely } from 'kysely';
import { type NodeSession, requireNewestSession } from './node-session.ts';

/**
 * Records that a node is alive, the number of accounts in its ledger and how many of them are failing, and its warnings
 * about guarantees that it does not meet, its figures, and the settings of its own that it has. One SQL statement. Throws like `requireNewestSession`.
 */
export async function heartbeat(
  db: Kysely<Database>,
  input: NodeSession & {
    accounts: number;
    accounts_failed: number;
    warnings: readonly string[];
    figures: NodeFigures;
    settings_generation: number;
    settings_problem: string;
  },
): Promise<void> {
  if (!(await noteHeartbeat(db, input))) await requireNewestSession(db, input);
}
