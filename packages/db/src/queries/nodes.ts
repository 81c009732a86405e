import { invalidField, NODE_OFFLINE_AFTER_SECONDS } from '@innkeeper/domain';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database, NodesTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';
import { countsByScope, deleteCounts } from './record-counts.ts';
import { deleteServerUsage } from './usage-history.ts';

/** A node, whether it is online, and what its accounts may use of it. */
export interface NodeWithLoad
  extends Omit<
    Selectable<NodesTable>,
    'session_id' | 'identity_epoch' | 'certificates_issued' | 'certificate_used'
  > {
  /** 1 if its last heartbeat is less than 45 s old, by database time. */
  online: number;
  account_count: number;
  allocated_disk_mb: number;
  allocated_ram_mb: number;
}

/** True for a node that sent a heartbeat within the last 45 s, by database time; false before its first heartbeat. */
export const nodeIsOnline = sql<number>`coalesce(nodes.last_seen_at >= now(6) - interval ${sql.lit(NODE_OFFLINE_AFTER_SECONDS)} second, 0)`;

/** All nodes, or one by id or name, ordered by name. One SQL statement that reads no account. */
export async function findNodesWithLoad(
  db: Kysely<Database>,
  only: { id: number } | { name: string } | undefined,
): Promise<NodeWithLoad[]> {
  let load = countsByScope(db, 'node_accounts');
  if (only !== undefined && 'id' in only) load = load.where('scope_id', '=', only.id);
  let query = db
    .selectFrom('nodes')
    .leftJoin(load.as('allocated'), 'allocated.scope_id', 'nodes.id')
    .select([
      'nodes.id',
      'nodes.name',
      'nodes.address',
      'nodes.state',
      'nodes.agent_version',
      'nodes.hostname',
      'nodes.cpu_count',
      'nodes.memory_bytes',
      'nodes.disk_bytes',
      'nodes.allocatable_memory_mb',
      'nodes.allocatable_disk_mb',
      'nodes.known_memory_bytes',
      'nodes.known_disk_bytes',
      'nodes.capacity_jumped_at',
      'nodes.disk_quota',
      'nodes.node_versions',
      'nodes.php_version',
      'nodes.time_zone',
      'nodes.ssh_fingerprint',
      'nodes.ftp_fingerprint',
      'nodes.io_limits',
      'nodes.accounts_reported',
      'nodes.accounts_failed',
      'nodes.warnings',
      'nodes.figures',
      'nodes.settings_generation',
      'nodes.settings_observed',
      'nodes.settings_problem',
      'nodes.enrolled_at',
      'nodes.last_seen_at',
      'nodes.created_at',
    ])
    .select((eb) => [
      nodeIsOnline.as('online'),
      eb.fn.coalesce('allocated.accounts', eb.lit(0)).as('account_count'),
      eb.fn.coalesce('allocated.disk_mb', eb.lit(0)).as('allocated_disk_mb'),
      eb.fn.coalesce('allocated.ram_mb', eb.lit(0)).as('allocated_ram_mb'),
    ])
    .orderBy('nodes.name');
  if (only !== undefined)
    query = 'id' in only ? query.where('nodes.id', '=', only.id) : query.where('nodes.name', '=', only.name);
  return query.execute();
}

/** Ids and names of all nodes, ordered by name. */
export async function findNodeNames(db: Kysely<Database>): Promise<{ id: number; name: string }[]> {
  return await db.selectFrom('nodes').select(['id', 'name']).orderBy('name').execute();
}

/** Names and addresses at which nodes are reached, and the host names that they report. */
export async function findNodeHosts(
  db: Kysely<Database>,
): Promise<{ address: string; hostname: string | null }[]> {
  return await db.selectFrom('nodes').select(['address', 'hostname']).execute();
}

/** The number of nodes, and how many of them are online. One SQL statement. */
export async function countNodes(db: Kysely<Database>): Promise<{ total: number; online: number }> {
  return db
    .selectFrom('nodes')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.coalesce(eb.fn.sum<number>(nodeIsOnline), eb.lit(0)).as('online'),
    ])
    .executeTakeFirstOrThrow();
}

export async function lockNode(
  trx: Transaction<Database>,
  nodeId: number,
): Promise<Selectable<NodesTable> | undefined> {
  return trx.selectFrom('nodes').selectAll().where('id', '=', nodeId).forUpdate().executeTakeFirst();
}

/** Returns its id. Throws DomainError `invalid` for a name in use. */
export async function insertNode(
  trx: Transaction<Database>,
  node: { name: string; address: string; created_at: Date },
): Promise<number> {
  try {
    const { insertId } = await trx
      .insertInto('nodes')
      .values({ ...node, state: 'active' })
      .executeTakeFirstOrThrow();
    return Number(insertId);
  } catch (error) {
    if (isUniqueViolation(error, 'nodes_name'))
      throw invalidField('name', 'The name has already been taken.');
    throw error;
  }
}

export async function setNodeState(
  trx: Transaction<Database>,
  nodeId: number,
  state: NodesTable['state'],
): Promise<void> {
  await trx.updateTable('nodes').set({ state }).where('id', '=', nodeId).execute();
}

/** Columns of a node's capacity: an operator's maximum, the known values and the start of an alarm. */
export interface NodeCapacity {
  allocatable_memory_mb?: number | null;
  allocatable_disk_mb?: number | null;
  known_memory_bytes?: number | null;
  known_disk_bytes?: number | null;
  capacity_jumped_at?: Date | null;
}

export async function updateNodeCapacity(
  trx: Transaction<Database>,
  nodeId: number,
  change: NodeCapacity,
): Promise<void> {
  await trx.updateTable('nodes').set(change).where('id', '=', nodeId).execute();
}

export async function countAccountsOnNode(trx: Transaction<Database>, nodeId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('node_id', '=', nodeId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes a node that has no accounts, with its join tokens, reserved names and counts. */
export async function deleteNode(trx: Transaction<Database>, nodeId: number, now: Date): Promise<void> {
  await deleteServerUsage(trx, nodeId, now);
  await trx.deleteFrom('node_join_tokens').where('node_id', '=', nodeId).execute();
  await trx.deleteFrom('mail_relays').where('node_id', '=', nodeId).execute();
  await trx.deleteFrom('node_reserved_usernames').where('node_id', '=', nodeId).execute();
  await trx.deleteFrom('nodes').where('id', '=', nodeId).execute();
  await deleteCounts(trx, 'node_accounts', nodeId);
}
