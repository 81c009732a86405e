const BYTES_PER_MB = 1_048_576;

/** What a node says more than this many times above what is known of it is not believed. */
const PLAUSIBLE_GROWTH = 4;

/** The memory or the disk of a node. */
export interface NodeResource {
  /** What the node says; null before its first session. */
  reported_bytes: number | null;
  /** What it said when it was first heard of, or when an operator last accepted it. */
  known_bytes: number | null;
  /** What an operator set; null: nothing. */
  allocatable_mb: number | null;
}

/**
 * What placement counts with: what the node says, but not more than the operator set, and where nothing is set not more
 * than four times what is known. So a node that lies draws at most four times its share. Null before its first session.
 */
export function countedBytes({ reported_bytes, known_bytes, allocatable_mb }: NodeResource): number | null {
  if (reported_bytes === null) return null;
  if (allocatable_mb !== null) return Math.min(reported_bytes, allocatable_mb * BYTES_PER_MB);
  return Math.min(reported_bytes, (known_bytes || reported_bytes) * PLAUSIBLE_GROWTH);
}

/** Whether a node says implausibly more than is known of it, of something that no operator has set. */
export function hasJumped({ reported_bytes, known_bytes, allocatable_mb }: NodeResource): boolean {
  if (reported_bytes === null || allocatable_mb !== null || !known_bytes) return false;
  return reported_bytes > known_bytes * PLAUSIBLE_GROWTH;
}

/** A node that takes accounts, and what its accounts may take of it. */
export interface NodeRoom {
  id: number;
  disk_bytes: number;
  memory_bytes: number;
  allocated_disk_mb: number;
  allocated_ram_mb: number;
}

/**
 * The node with the most room: the one whose scarcer resource, disk or memory, has the largest part left
 * that is not promised to an account. Of equals the one with the lowest id. A node may be promised beyond
 * what it has. Undefined when there is none to choose from.
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

/** Never 0: a node that says it has nothing is merely the last choice. */
function capacityMb(bytes: number): number {
  return Math.max(1, bytes / BYTES_PER_MB);
}
