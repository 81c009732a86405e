import { z } from 'zod';

/** What a node says of one account; parsed by the control plane, which trusts it no more than a request. */
export const conditionSchema = z.strictObject({
  type: z.string().min(1).max(32),
  reason: z.enum(['Applied', 'Conflict', 'Refused', 'Failed', 'Retrying']),
  message: z.string().max(2_000),
});

export const domainStatusSchema = z.strictObject({
  domain_id: z.int().min(1),
  status: z.enum(['active', 'suspended', 'absent', 'failed']),
  reason: z.string().max(2_000),
});

export const accountReportSchema = z.strictObject({
  account_id: z.int().min(1),
  observed_generation: z.int().min(1),
  outcome: z.enum(['applied', 'failed', 'progressing', 'absent']),
  conditions: z.array(conditionSchema).max(50),
  domains: z.array(domainStatusSchema).max(10_000),
  driver_ms: z.record(z.string().max(32), z.number().min(0)),
});

export type AccountReport = z.infer<typeof accountReportSchema>;
export type Condition = z.infer<typeof conditionSchema>;
export type DomainStatus = z.infer<typeof domainStatusSchema>;
export type ReportOutcome = AccountReport['outcome'];
