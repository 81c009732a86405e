import { type NodeWithLoad, resourcesOf } from '@innkeeper/db';
import { countedBytes, type NodeState } from '@innkeeper/domain';
import { type NodeFigures, SETTINGS_UNDER_WAY } from '@innkeeper/protocol';

export interface NodeView {
  id: number;
  name: string;
  address: string;
  /** State for placement. A node that is offline and cordoned is `offline`; `cordoned` below distinguishes the two. */
  state: NodeState;
  cordoned: boolean;
  /** Whether the node sent a heartbeat within the last 45 s, by database time. */
  online: boolean;
  agent_version: string | null;
  hostname: string | null;
  enrolled_at: Date | null;
  last_seen_at: Date | null;
  /** Null before the first session. */
  disk_quota: string | null;
  io_limits: boolean | null;
  capacity: { cpu_count: number | null; memory_bytes: number | null; disk_bytes: number | null };
  /** MiB, set by an operator; null: nothing is set. */
  allocatable: { memory_mb: number | null; disk_mb: number | null };
  /** Capacity that placement uses: at most the set value and four times the known value. */
  counted: { memory_bytes: number | null; disk_bytes: number | null };
  /** Start of an open capacity alarm: the node reports more than four times its known memory or disk. */
  capacity_jumped_at: Date | null;
  known: { memory_bytes: number | null; disk_bytes: number | null };
  /** Sum of the limits of its accounts, including terminating ones. */
  allocated: { accounts: number; disk_mb: number; ram_mb: number };
  /** As of its last heartbeat. */
  accounts_reported: number;
  accounts_failed: number;
  /** Codes of guarantees that the node does not meet; see `serverWarningSentence`. */
  warnings: string[];
  /** Its mail queue, as of its last heartbeat. Null: an agent of an older release. */
  mail: { queued: number; oldest_seconds: number } | null;
  /** Whether it has tried to apply the newest settings of its own, and why they are not applied; empty: they are. */
  settings: { is_newest: boolean; problem: string };
  created_at: Date;
}

export function nodeView(row: NodeWithLoad): NodeView {
  const { memory, disk } = resourcesOf(row);
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    state: stateOf(row),
    cordoned: row.state === 'cordoned',
    online: row.online === 1,
    agent_version: row.agent_version,
    hostname: row.hostname,
    enrolled_at: row.enrolled_at,
    last_seen_at: row.last_seen_at,
    disk_quota: row.disk_quota,
    io_limits: row.io_limits === null ? null : row.io_limits === 1,
    capacity: { cpu_count: row.cpu_count, memory_bytes: row.memory_bytes, disk_bytes: row.disk_bytes },
    allocatable: { memory_mb: row.allocatable_memory_mb, disk_mb: row.allocatable_disk_mb },
    counted: { memory_bytes: countedBytes(memory), disk_bytes: countedBytes(disk) },
    capacity_jumped_at: row.capacity_jumped_at,
    known: { memory_bytes: row.known_memory_bytes, disk_bytes: row.known_disk_bytes },
    allocated: {
      accounts: row.account_count,
      disk_mb: row.allocated_disk_mb,
      ram_mb: row.allocated_ram_mb,
    },
    accounts_reported: row.accounts_reported,
    accounts_failed: row.accounts_failed,
    warnings: row.warnings === null ? [] : (JSON.parse(row.warnings) as string[]),
    mail: mailOf(row.figures),
    settings: {
      is_newest:
        row.settings_observed === row.settings_generation && row.settings_problem !== SETTINGS_UNDER_WAY,
      problem: row.settings_problem === SETTINGS_UNDER_WAY ? '' : row.settings_problem,
    },
    created_at: row.created_at,
  };
}

function mailOf(figures: string | null): NodeView['mail'] {
  const { mail_queued, mail_queue_oldest_seconds = 0 } = JSON.parse(figures ?? '{}') as NodeFigures;
  return mail_queued === undefined
    ? null
    : { queued: mail_queued, oldest_seconds: mail_queue_oldest_seconds };
}

function stateOf(row: NodeWithLoad): NodeState {
  if (row.last_seen_at === null) return 'new';
  return row.online === 1 ? row.state : 'offline';
}
