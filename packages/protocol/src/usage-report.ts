import { z } from 'zod';

/**
 * What a server, its accounts and their sites used in one interval of 5 minutes. An agent sends an interval in parts
 * after it has ended. Untrusted: the control plane parses every part.
 */
export const USAGE_INTERVAL_S = 300;
export const MOST_ACCOUNTS_IN_A_PART = 1_000;
export const MOST_SITES_IN_A_PART = 2_000;
/** 1,000,000 accounts with 2 sites each. */
const MOST_PARTS = 2_000;

const id = z.int().min(1);
/** Above what a real server can use in 5 minutes; sums of two years stay exact. */
const bytes = z.int().min(0).max(1e12);
const milliseconds = z
  .int()
  .min(0)
  .max(8_192 * USAGE_INTERVAL_S * 1_000);
const megabytes = z.int().min(0).max(0xffff_ffff);
const count = z.int().min(0).max(1_000_000_000);

const serverUsageSchema = z.strictObject({
  cpu_busy_ms: milliseconds,
  cpu_total_ms: milliseconds,
  memory_mb: megabytes,
  memory_total_mb: megabytes,
  disk_mb: megabytes,
  disk_total_mb: megabytes,
  /** Highest load average of one minute, times 100. */
  load_percent: z.int().min(0).max(100_000_000),
  sent_bytes: bytes,
  requests: count,
  errors: count,
  accounts: count,
  running_accounts: count,
});

const accountUsageInIntervalSchema = z.strictObject({
  account_id: id,
  cpu_ms: milliseconds,
  memory_mb: megabytes,
  /** Null: not measured yet. */
  disk_mb: megabytes.nullable(),
  sent_bytes: bytes,
  requests: count,
  errors: count,
});

const siteUsageSchema = z.strictObject({
  domain_id: id,
  sent_bytes: bytes,
  requests: count,
  errors: count,
});

const dayNumber = z.int().min(0).max(10_000_000);

/** Counts of recipients of the mail that an account sent. */
export const accountMailSchema = z.strictObject({
  account_id: id,
  /** Number of the hour, and of the day, since 1970 in UTC. */
  hour: dayNumber,
  hour_sent: count,
  hour_refused: count,
  day: dayNumber,
  day_sent: count,
  day_refused: count,
  /** Messages in the queue of the server. */
  queued: count,
});

export const usageReportSchema = z.strictObject({
  /** Start of the interval in Unix seconds. */
  interval_start: z.int().min(0).max(0xffff_ffff).multipleOf(USAGE_INTERVAL_S),
  part: z.int().min(0).max(MOST_PARTS),
  server: serverUsageSchema.nullable(),
  accounts: z.array(accountUsageInIntervalSchema).max(MOST_ACCOUNTS_IN_A_PART),
  sites: z.array(siteUsageSchema).max(MOST_SITES_IN_A_PART),
  /** Accounts that sent mail today, or have some in the queue. */
  mail: z.array(accountMailSchema).max(MOST_ACCOUNTS_IN_A_PART).default([]),
});

export type UsageReport = z.infer<typeof usageReportSchema>;
export type ServerUsage = z.infer<typeof serverUsageSchema>;
export type AccountUsageInInterval = z.infer<typeof accountUsageInIntervalSchema>;
export type AccountMail = z.infer<typeof accountMailSchema>;
export type SiteUsage = z.infer<typeof siteUsageSchema>;
