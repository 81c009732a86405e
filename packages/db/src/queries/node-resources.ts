import type { NodeResource } from '@innkeeper/domain';
import type { Selectable } from 'kysely';
import type { NodesTable } from '../schema/index.ts';

type Row = Pick<
  Selectable<NodesTable>,
  | 'memory_bytes'
  | 'known_memory_bytes'
  | 'allocatable_memory_mb'
  | 'disk_bytes'
  | 'known_disk_bytes'
  | 'allocatable_disk_mb'
>;

/** A node's memory and disk, in the form that the placement rules read. */
export function resourcesOf(row: Row): { memory: NodeResource; disk: NodeResource } {
  return {
    memory: {
      reported_bytes: row.memory_bytes,
      known_bytes: row.known_memory_bytes,
      allocatable_mb: row.allocatable_memory_mb,
    },
    disk: {
      reported_bytes: row.disk_bytes,
      known_bytes: row.known_disk_bytes,
      allocatable_mb: row.allocatable_disk_mb,
    },
  };
}
