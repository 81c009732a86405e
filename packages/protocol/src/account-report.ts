import { COMMIT_AUTHOR_MAX_CHARACTERS, COMMIT_HASH, COMMIT_SUBJECT_MAX_CHARACTERS } from '@innkeeper/domain';
import { z } from 'zod';

/** Schema of a node's report about one account. Untrusted: the control plane parses it like a request. */
const id = z.int().min(1);
const reason = z.string().max(2_000);
/** Seconds since 1970. */
const seconds = z.int().min(0).max(253_402_300_799);

export const conditionSchema = z.strictObject({
  type: z.string().min(1).max(32),
  reason: z.enum(['Applied', 'Conflict', 'Refused', 'Failed', 'Retrying']),
  message: z.string().max(2_000),
});

/**
 * Type of the condition for a foreign creation: the node has another creation of the account, of its uid or of its
 * user, and nothing of the requested creation.
 */
export const FOREIGN_CREATION = 'creation';

export const certificateStatusSchema = z.strictObject({
  status: z.enum(['pending', 'active', 'failed']),
  /** The revision of this status. */
  revision: z.int().min(1),
  issuer: z.string().max(255),
  /** Seconds since 1970; 0 while there is no certificate. A failed renewal keeps the active certificate. */
  expires_at: seconds,
  /** Error message of the certificate authority. */
  error: z.string().max(2_000),
  /** When a failed attempt is made again at the earliest. Undefined: it has not failed. */
  next_attempt_at: seconds.optional(),
});

export const domainStatusSchema = z.strictObject({
  domain_id: id,
  status: z.enum(['active', 'suspended', 'absent', 'failed']),
  reason,
  /** Null if no certificate was requested. */
  certificate: certificateStatusSchema.nullable().default(null),
});

export const databaseStatusSchema = z.strictObject({
  database_id: id,
  status: z.enum(['active', 'suspended', 'absent', 'failed']),
  reason,
});

/** The commit of a release that was cloned. Its author chose the text. */
export const commitStatusSchema = z.strictObject({
  release_id: id,
  hash: z.string().regex(COMMIT_HASH),
  author: z.string().max(2 * COMMIT_AUTHOR_MAX_CHARACTERS),
  subject: z.string().max(2 * COMMIT_SUBJECT_MAX_CHARACTERS),
});

export const appStatusSchema = z.strictObject({
  app_id: id,
  status: z.enum([
    'installing',
    'building',
    'updating',
    'starting',
    'running',
    'stopping',
    'stopped',
    'failed',
    'absent',
  ]),
  /** Reason of the failure, with the tail of the app's log. */
  reason: z.string().max(8_000),
  /** The active release. Null for the output of the installer, or for nothing. */
  release_id: id.nullable(),
  /** Undefined: nothing was cloned for the app. */
  commit: commitStatusSchema.optional(),
});

export const accountReportSchema = z.strictObject({
  account_id: id,
  observed_generation: id,
  outcome: z.enum(['applied', 'failed', 'progressing', 'absent']),
  conditions: z.array(conditionSchema).max(50),
  domains: z.array(domainStatusSchema).max(10_000),
  databases: z.array(databaseStatusSchema).max(1_000).default([]),
  apps: z.array(appStatusSchema).max(100).default([]),
  /** When the node looks again at an account that has failed. Undefined: it has not failed. */
  next_pass_at: seconds.optional(),
  driver_ms: z.record(z.string().max(32), z.number().min(0)),
});

export type AccountReport = z.infer<typeof accountReportSchema>;
export type Condition = z.infer<typeof conditionSchema>;
export type CertificateStatus = z.infer<typeof certificateStatusSchema>;
export type DomainStatus = z.infer<typeof domainStatusSchema>;
export type DatabaseStatus = z.infer<typeof databaseStatusSchema>;
export type CommitStatus = z.infer<typeof commitStatusSchema>;
export type AppStatusReport = z.infer<typeof appStatusSchema>;
export type ReportOutcome = AccountReport['outcome'];
