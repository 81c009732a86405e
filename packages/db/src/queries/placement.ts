import { countedBytes, linuxUserFor, type NodeRoom } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../schema/index.ts';
import { resourcesOf } from './node-resources.ts';
import { nodeIsOnline } from './nodes.ts';
import { countsByScope } from './record-counts.ts';

/** Nodes that can take an account with this name: active, online, and without a user or a home of that name. */
export function nodesThatTake(db: Kysely<Database>, username: string) {
  return db
    .selectFrom('nodes')
    .where('nodes.state', '=', 'active')
    .where(nodeIsOnline, '=', 1)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('node_reserved_usernames')
            .select('node_reserved_usernames.node_id')
            .whereRef('node_reserved_usernames.node_id', '=', 'nodes.id')
            .where('node_reserved_usernames.username', 'in', [username, linuxUserFor(username)]),
        ),
      ),
    );
}

/** Nodes that can take an account with this name, with the allocation of their committed accounts. Reads no account. */
export async function findNodesWithRoom(
  db: Kysely<Database>,
  username: string,
): Promise<(NodeRoom & { name: string })[]> {
  const rows = await nodesThatTake(db, username)
    .leftJoin(countsByScope(db, 'node_accounts').as('allocated'), 'allocated.scope_id', 'nodes.id')
    .select(['nodes.id', 'nodes.name'])
    .select([
      'nodes.memory_bytes',
      'nodes.known_memory_bytes',
      'nodes.allocatable_memory_mb',
      'nodes.disk_bytes',
      'nodes.known_disk_bytes',
      'nodes.allocatable_disk_mb',
    ])
    .select((eb) => [
      eb.fn.coalesce('allocated.disk_mb', eb.lit(0)).as('allocated_disk_mb'),
      eb.fn.coalesce('allocated.ram_mb', eb.lit(0)).as('allocated_ram_mb'),
    ])
    .execute();
  return rows.map(({ id, name, allocated_disk_mb, allocated_ram_mb, ...row }) => {
    const { memory, disk } = resourcesOf(row);
    return {
      id,
      name,
      disk_bytes: countedBytes(disk) ?? 0,
      memory_bytes: countedBytes(memory) ?? 0,
      allocated_disk_mb,
      allocated_ram_mb,
    };
  });
}
