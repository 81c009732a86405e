import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';
import type { NodeCapacity } from './nodes.ts';

/** The stored part of what a node reports about itself when a session starts. */
export interface NodeHello {
  session_id: string;
  agent_version: string;
  hostname: string;
  cpu_count: number;
  memory_bytes: number;
  disk_bytes: number;
  disk_quota: string;
  io_limits: boolean;
  node_versions: readonly string[];
  php_version: string | null;
  time_zone: string | null;
  ssh_fingerprint: string | null;
  ftp_fingerprint: string | null;
}

/** The node's newest session. Null before the first; undefined if there is no such node. */
export async function findSessionId(
  db: Kysely<Database>,
  nodeId: number,
): Promise<string | null | undefined> {
  const row = await db.selectFrom('nodes').select('session_id').where('id', '=', nodeId).executeTakeFirst();
  return row?.session_id;
}

/** Makes a session the node's newest and marks the node as online. */
export async function startSession(
  trx: Transaction<Database>,
  nodeId: number,
  hello: NodeHello,
  capacity: NodeCapacity,
): Promise<void> {
  await trx
    .updateTable('nodes')
    .set({
      ...hello,
      ...capacity,
      io_limits: hello.io_limits ? 1 : 0,
      node_versions: JSON.stringify(hello.node_versions),
      last_seen_at: sql`now(6)`,
    })
    .where('id', '=', nodeId)
    .execute();
}

/** Records a heartbeat. Returns false, and records nothing, if the session is not the node's newest. */
export async function noteHeartbeat(
  db: Kysely<Database>,
  beat: {
    node_id: number;
    session_id: string;
    accounts: number;
    accounts_failed: number;
    warnings: readonly string[];
    figures: Readonly<Record<string, number>>;
    settings_generation: number;
    settings_problem: string;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('nodes')
    .set({
      last_seen_at: sql`now(6)`,
      accounts_reported: beat.accounts,
      accounts_failed: beat.accounts_failed,
      warnings: JSON.stringify(beat.warnings),
      figures: JSON.stringify(beat.figures),
      settings_observed: beat.settings_generation,
      settings_problem: beat.settings_problem,
    })
    .where('id', '=', beat.node_id)
    .where('session_id', '=', beat.session_id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
