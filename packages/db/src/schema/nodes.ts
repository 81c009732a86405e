import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

export interface NodesTable {
  id: Generated<number>;
  name: string;
  /** Where sites are reached; what DNS of a customer must point to. */
  address: string;
  /** `offline` is not stored: it is `last_seen_at` older than 45 s, by database time. */
  state: 'active' | 'cordoned';
  /** The session of the latest Hello; null until the first. */
  session_id: string | null;
  agent_version: string | null;
  hostname: string | null;
  cpu_count: number | null;
  memory_bytes: number | null;
  disk_bytes: number | null;
  /** MiB that placement counts with at most, set by an operator; null: what the node says. */
  allocatable_memory_mb: NullByDefault<number>;
  allocatable_disk_mb: NullByDefault<number>;
  /** What the node said when it was first heard of, or when an operator last accepted what it says. */
  known_memory_bytes: NullByDefault<number>;
  known_disk_bytes: NullByDefault<number>;
  /** Since when the node says implausibly more than is known of it; null: it does not, or an operator has dealt with it. */
  capacity_jumped_at: NullByDefault<Date>;
  disk_quota: string | null;
  /** JSON array of the major versions of Node.js that apps can run on. */
  node_versions: NullByDefault<string>;
  /** Of the PHP that sites run on. */
  php_version: NullByDefault<string>;
  /** By which cron runs jobs: an IANA name. */
  time_zone: NullByDefault<string>;
  io_limits: number | null;
  /** Accounts in the agent's ledger, and how many of them are not as they should be. */
  accounts_reported: Generated<number>;
  accounts_failed: Generated<number>;
  /** JSON array of the codes of what the server holds less than accounts are promised, as of its last heartbeat. */
  warnings: NullByDefault<string>;
  /** Raised by each enrolment and revocation: identities of an older epoch are refused. */
  identity_epoch: Generated<number>;
  /** Number of the newest certificate, over all epochs. */
  certificates_issued: Generated<number>;
  /** Number of the newest certificate that called: older ones are not renewed. */
  certificate_used: Generated<number>;
  enrolled_at: Date | null;
  last_seen_at: Date | null;
  created_at: ColumnType<Date, Date, never>;
}

export interface NodeJoinTokensTable {
  id: Generated<number>;
  node_id: number;
  token_hash: Buffer;
  expires_at: Date;
  used_at: Date | null;
  created_at: ColumnType<Date, Date, never>;
}

/** NATS users that were signed for nodes, until they expire. */
export interface NodeNatsUsersTable {
  public_key: string;
  node_id: number;
  identity_epoch: number;
  expires_at: Date;
}

/** Account names in a node's /etc/passwd that the panel does not own. */
export interface NodeReservedUsernamesTable {
  node_id: number;
  username: string;
}
