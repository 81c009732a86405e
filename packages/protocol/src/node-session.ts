import { isTimeZone, NODE_VERSION_PATTERN } from '@innkeeper/domain';
import { z } from 'zod';

/** Above every server there is: a node that says more is broken, and would draw all new accounts to itself. */
const MOST_CPUS = 8_192;
const MOST_MEMORY_BYTES = 128 * 1024 ** 4;
const MOST_DISK_BYTES = 4 * 1024 ** 5;

/** What a node says of itself when a session starts; parsed by the control plane, which trusts no node. */
export const nodeFactsSchema = z.strictObject({
  agent_version: z.string().min(1).max(64),
  hostname: z.string().min(1).max(253),
  cpu_count: z.int().min(1).max(MOST_CPUS),
  memory_bytes: z.int().min(0).max(MOST_MEMORY_BYTES),
  disk_bytes: z.int().min(0).max(MOST_DISK_BYTES),
  disk_quota: z.enum(['enforced', 'accounting-only']),
  /** Whether IO limits can be set (a block device below /home is known). */
  io_limits: z.boolean(),
  /** Account names of /etc/passwd that the panel does not own: taken for new accounts. */
  reserved_usernames: z.array(z.string().min(1).max(64)).max(20_000),
  /** The agent does not know all of its accounts: every one must be sent again. */
  ledger_incomplete: z.boolean(),
  /** Major versions of Node.js that apps can run on. */
  node_versions: z.array(z.string().regex(NODE_VERSION_PATTERN)).max(50).default([]),
  /** Of the PHP that sites run on; null where it is not known. */
  php_version: z
    .string()
    .regex(/^\d{1,2}\.\d{1,2}$/)
    .nullable(),
  /** By which cron runs jobs: an IANA name. Null where it is not known, or has a name that is not known here. */
  time_zone: z.string().max(64).refine(isTimeZone).nullable().catch(null),
});

/** Random, chosen by the agent at start: 16 to 64 letters, digits, `-` or `_`. */
export const sessionIdSchema = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);

/** What a server can hold less of than accounts are promised. */
export const serverWarnings = [
  /** The kernel does not hold the firewall of accounts. */
  'FIREWALL_MISSING',
  /** A process can trace any other of its account. */
  'PTRACE_UNRESTRICTED',
  /** Links and pipes in shared folders can be used against others. */
  'LINKS_UNPROTECTED',
  /** A folder of the agent can be written to by others. */
  'FOLDER_OPEN',
  /** Accounts see each other's processes. */
  'PROCESSES_VISIBLE',
  /** Disk limits are measured and not enforced. */
  'DISK_QUOTA_MISSING',
  /** Limits of reading and writing are not enforced. */
  'IO_LIMITS_MISSING',
  /** A damaged file of the ledger: its account is not looked after. */
  'LEDGER_DAMAGED',
  /** The access of homes is looked at only when drift is looked for. */
  'HOMES_UNWATCHED',
] as const;

export type ServerWarning = (typeof serverWarnings)[number];

/** Accounts in a node's ledger, and how many of them are not as they should be. */
export const heartbeatCountsSchema = z.strictObject({
  accounts: z.int().min(0),
  accounts_failed: z.int().min(0),
  /** Codes of `serverWarnings`, or those of a newer agent. */
  warnings: z
    .array(z.string().regex(/^[A-Z][A-Z0-9_]{1,39}$/))
    .max(32)
    .default([]),
});

export type NodeFacts = z.infer<typeof nodeFactsSchema>;
export type HeartbeatCounts = z.infer<typeof heartbeatCountsSchema>;

/** How often a node shall report that it lives, and ask for work without being woken. */
export interface SessionIntervals {
  heartbeat_interval_ms: number;
  poll_interval_ms: number;
}
