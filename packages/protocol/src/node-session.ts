import { isTimeZone, NODE_VERSION_PATTERN } from '@innkeeper/domain';
import { z } from 'zod';

/** Above the capacity of any real server. A node that reports more is broken, and would attract all new accounts. */
const MOST_CPUS = 8_192;
const MOST_MEMORY_BYTES = 128 * 1024 ** 4;
const MOST_DISK_BYTES = 4 * 1024 ** 5;

/** Facts that a node reports when a session starts. Untrusted: the control plane parses them and trusts no node. */
export const nodeFactsSchema = z.strictObject({
  agent_version: z.string().min(1).max(64),
  hostname: z.string().min(1).max(253),
  cpu_count: z.int().min(1).max(MOST_CPUS),
  memory_bytes: z.int().min(0).max(MOST_MEMORY_BYTES),
  disk_bytes: z.int().min(0).max(MOST_DISK_BYTES),
  disk_quota: z.enum(['enforced', 'accounting-only']),
  /** Whether IO limits can be set (the block device below /home is known). */
  io_limits: z.boolean(),
  /** Account names of /etc/passwd that the panel does not own. New accounts on this node cannot have them. */
  reserved_usernames: z.array(z.string().min(1).max(64)).max(20_000),
  /** The agent's ledger is incomplete: every account must be sent again. */
  ledger_incomplete: z.boolean(),
  /** Major versions of Node.js for apps. */
  node_versions: z.array(z.string().regex(NODE_VERSION_PATTERN)).max(50).default([]),
  /** PHP version of the sites. Null if unknown. */
  php_version: z
    .string()
    .regex(/^\d{1,2}\.\d{1,2}$/)
    .nullable(),
  /**
   * Time zone of cron: an IANA name. Null if the node does not know it, or if the control plane does not know the name.
   */
  time_zone: z.string().max(64).refine(isTimeZone).nullable().catch(null),
  /** SHA-256 of the SSH host key, as OpenSSH shows it. Null if the server has none. */
  ssh_fingerprint: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/)
    .nullable()
    .catch(null),
  /** SHA-256 of the certificate for FTP. Null on a server without FTP. */
  ftp_fingerprint: z
    .string()
    .regex(/^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/)
    .nullable()
    .catch(null),
});

/** Random, chosen by the agent at start: 16 to 64 letters, digits, `-` or `_`. */
export const sessionIdSchema = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);

/** Services that the accounts of a server need and that do not run. */
export const serviceWarnings = ['NGINX_DOWN', 'DATABASE_SERVER_DOWN', 'CRON_DOWN', 'SSHD_DOWN'] as const;
export type ServiceWarning = (typeof serviceWarnings)[number];

/** Guarantees to accounts that a server can fail to meet. */
export const serverWarnings = [
  /** The kernel does not enforce the firewall of accounts. */
  'FIREWALL_MISSING',
  /** A process can trace any other process of its account. */
  'PTRACE_UNRESTRICTED',
  /** Links and pipes in shared folders can be used against other users. */
  'LINKS_UNPROTECTED',
  /** Other users can write to a folder of the agent. */
  'FOLDER_OPEN',
  /** Accounts can see each other's processes. */
  'PROCESSES_VISIBLE',
  /** Disk limits are measured, but not enforced. */
  'DISK_QUOTA_MISSING',
  /** Limits of reads and writes are not enforced. */
  'IO_LIMITS_MISSING',
  /** A file of the ledger is damaged: its account is not reconciled. */
  'LEDGER_DAMAGED',
  /** Programs of accounts cannot send mail: another mail system is in the way, or the service does not run. */
  'MAIL_DOWN',
  /** The access modes of homes are checked only during drift checks. */
  'HOMES_UNWATCHED',
  /** A file system has no space or no room for another file: changes wait. */
  'DISK_FULL',
  ...serviceWarnings,
] as const;

export type ServerWarning = (typeof serverWarnings)[number];

/**
 * What operators watch of a server and its agent, between heartbeats. The control plane offers each as
 * `innkeeper_node_<name>`. Totals count from the start of the agent, or of the server (`cpu_busy_seconds_total`).
 */
export const nodeFigures = {
  accounts_progressing: 'Number of accounts that the agent retries.',
  queue_waiting: 'Number of accounts that wait for a pass of the agent.',
  reports_unsent: 'Number of accounts whose newest report is not delivered yet.',
  ledger_quarantined_files: 'Number of invalid ledger files that the agent quarantined.',
  drift_repaired_total: 'Changes that repaired drift, since the agent started.',
  traffic_lost_files_total:
    'Access-log files that disappeared before the agent read them, since the agent started.',
  traffic_refused_lines_total: 'Access-log lines that nginx cannot have written, since the agent started.',
  traffic_read_timestamp_seconds: 'Time when the agent last read the access log, in Unix seconds.',
  agent_start_timestamp_seconds: 'Time when the agent started, in Unix seconds.',
  agent_resident_memory_bytes: 'Resident memory of the agent, in bytes.',
  cpu_busy_seconds_total: 'Time that all processors of the server worked, in seconds.',
  load_average_1m: 'Load average of the server over one minute.',
  memory_bytes: 'Memory of the server, in bytes.',
  memory_available_bytes: 'Memory of the server that programs can still get, in bytes.',
  homes_bytes: 'Size of the file system of /home, in bytes.',
  homes_available_bytes: 'Free space of the file system of /home, in bytes.',
  homes_inodes: 'Number of files that the file system of /home can hold. 0: no limit.',
  mail_queued: 'Number of messages of accounts in the mail queue.',
  mail_queue_oldest_seconds: 'Age of the oldest message in the mail queue that is not held, in seconds.',
  mail_queue_bytes: 'Size of the mail queue, in bytes.',
  mail_sent_today: 'Recipients of mail that accounts sent since midnight (UTC).',
  mail_refused_today: 'Recipients that limits refused to accounts since midnight (UTC).',
  homes_available_inodes: 'Number of files that the file system of /home can still hold.',
} as const;

export type NodeFigure = keyof typeof nodeFigures;
export type NodeFigures = Partial<Record<NodeFigure, number>>;

/** Number of accounts in a node's ledger, how many of them are failing, its warnings and its figures. */
export const heartbeatCountsSchema = z.strictObject({
  accounts: z.int().min(0),
  accounts_failed: z.int().min(0),
  /** Codes of `serverWarnings`, or those of a newer agent. */
  warnings: z
    .array(z.string().regex(/^[A-Z][A-Z0-9_]{1,39}$/))
    .max(32)
    .default([]),
  /** Values of `nodeFigures`; those of a newer agent are ignored. */
  figures: z
    .record(z.string().max(64), z.number())
    .refine((figures) => Object.keys(figures).length <= 64, 'A heartbeat has at most 64 figures.')
    .transform((figures): NodeFigures => {
      const known = Object.entries(figures).filter(([name]) => Object.hasOwn(nodeFigures, name));
      return Object.fromEntries(known);
    })
    .default({}),
  /** Generation of the `NodeSettings` that the server has. 0: none yet. */
  settings_generation: z.int().min(0).default(0),
  /** Why these settings are not applied. Empty: they are. */
  settings_problem: z.string().max(500).default(''),
});

export type NodeFacts = z.infer<typeof nodeFactsSchema>;
export type HeartbeatCounts = z.infer<typeof heartbeatCountsSchema>;

/** Intervals of a node's heartbeats, and of its polls for work without a wake. */
export interface SessionIntervals {
  heartbeat_interval_ms: number;
  poll_interval_ms: number;
}
