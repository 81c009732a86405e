const BYTES_PER_MB = 1_048_576;

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
