/** Name of a node: one label of a host name with at least one letter (a number alone is read as an id). */
export const NODE_NAME_PATTERN = /^(?=[a-z0-9-]*[a-z])[a-z0-9][a-z0-9-]{0,62}$/;

/** Seconds without a heartbeat, by database time, after which a node is offline. */
export const NODE_OFFLINE_AFTER_SECONDS = 45;

export const nodeStates = ['new', 'active', 'cordoned', 'offline'] as const;
/** State of a node for placement: never connected, accepts accounts, does not accept accounts, or offline. */
export type NodeState = (typeof nodeStates)[number];

const BYTES_PER_MB = 1_048_576;

/** Untrusted: a report of more than this many times the known value is limited to it. */
const PLAUSIBLE_GROWTH = 4;

/** The memory or the disk of a node. */
export interface NodeResource {
  /** The reported value; null before the node's first session. */
  reported_bytes: number | null;
  /** The value of the first report, or the one that an operator last accepted. */
  known_bytes: number | null;
  /** The maximum that an operator set; null: none. */
  allocatable_mb: number | null;
}

/**
 * The capacity that placement uses: the reported value, limited to the operator's maximum, or without a maximum to four
 * times the known value. So a lying node gets at most four times its share. Null before its first session.
 */
export function countedBytes({ reported_bytes, known_bytes, allocatable_mb }: NodeResource): number | null {
  if (reported_bytes === null) return null;
  if (allocatable_mb !== null) return Math.min(reported_bytes, allocatable_mb * BYTES_PER_MB);
  return Math.min(reported_bytes, (known_bytes || reported_bytes) * PLAUSIBLE_GROWTH);
}

/** Whether a node reports implausibly more than its known value, and no operator has set a maximum. */
export function hasJumped({ reported_bytes, known_bytes, allocatable_mb }: NodeResource): boolean {
  if (reported_bytes === null || allocatable_mb !== null || !known_bytes) return false;
  return reported_bytes > known_bytes * PLAUSIBLE_GROWTH;
}

/** A node that accepts accounts, with its capacity and the allocation of its accounts. */
export interface NodeRoom {
  id: number;
  disk_bytes: number;
  memory_bytes: number;
  allocated_disk_mb: number;
  allocated_ram_mb: number;
}

/**
 * Chooses the node with the most room: the one whose scarcer resource, disk or memory, has the largest unallocated
 * share. If equal, the one with the lowest id. A node can be allocated beyond its capacity. Undefined if there are no
 * nodes.
 */
export function chooseNode<Node extends NodeRoom>(nodes: readonly Node[]): Node | undefined {
  return nodes.toSorted((a, b) => freeFraction(b) - freeFraction(a) || a.id - b.id)[0];
}

function freeFraction(node: NodeRoom): number {
  return Math.min(
    1 - node.allocated_disk_mb / capacityMb(node.disk_bytes),
    1 - node.allocated_ram_mb / capacityMb(node.memory_bytes),
  );
}

/** Never 0: a node that reports no capacity is only the last choice. */
function capacityMb(bytes: number): number {
  return Math.max(1, bytes / BYTES_PER_MB);
}
