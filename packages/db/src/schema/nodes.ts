import type { ColumnType, Generated } from 'kysely';
import type { NullByDefault } from './null-by-default.ts';

export interface NodesTable {
  id: Generated<number>;
  name: string;
  /** IP address or host name of the sites. A customer's DNS must point to it. */
  address: string;
  /** `offline` is not stored: it means that `last_seen_at` is older than 45 s, by database time. */
  state: 'active' | 'cordoned';
  /** Session id of the latest Hello. Null until the first. */
  session_id: string | null;
  agent_version: string | null;
  hostname: string | null;
  cpu_count: number | null;
  memory_bytes: number | null;
  disk_bytes: number | null;
  /** Maximum for placement in MiB, set by an operator. Null: the reported value. */
  allocatable_memory_mb: NullByDefault<number>;
  allocatable_disk_mb: NullByDefault<number>;
  /** The value of the node's first report, or the one that an operator last accepted. */
  known_memory_bytes: NullByDefault<number>;
  known_disk_bytes: NullByDefault<number>;
  /**
   * Since when the node reports implausibly more than its known capacity. Null: it does not, or an operator has
   * resolved it.
   */
  capacity_jumped_at: NullByDefault<Date>;
  disk_quota: string | null;
  /** JSON array of the major versions of Node.js for apps. */
  node_versions: NullByDefault<string>;
  /** PHP version of the sites. */
  php_version: NullByDefault<string>;
  /** Time zone of cron: an IANA name. */
  time_zone: NullByDefault<string>;
  /** Of the SSH host key, as OpenSSH shows it. */
  ssh_fingerprint: NullByDefault<string>;
  /** SHA-256 of the certificate for FTP. Null also for a server without FTP. */
  ftp_fingerprint: NullByDefault<string>;
  io_limits: number | null;
  /** Accounts in the agent's ledger, and how many of them are failing. */
  accounts_reported: Generated<number>;
  accounts_failed: Generated<number>;
  /** JSON array of the warning codes of the last heartbeat: guarantees to accounts that the server does not meet. */
  warnings: NullByDefault<string>;
  /** JSON object: the `nodeFigures` of the last heartbeat. */
  figures: NullByDefault<string>;
  /** Of what operators have set for the server itself, raised by each change. */
  settings_generation: Generated<number>;
  /** The generation that its agent has, and why it is not applied. Empty: it is. */
  settings_observed: Generated<number>;
  settings_problem: Generated<string>;
  /** Raised by each enrolment and revocation. Identities of an older epoch are rejected. */
  identity_epoch: Generated<number>;
  /** Number of the newest certificate, over all epochs. */
  certificates_issued: Generated<number>;
  /** Number of the newest certificate that was used. Older ones are not renewed. */
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
