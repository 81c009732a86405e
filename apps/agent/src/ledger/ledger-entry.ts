import { accountSpecSchema } from '@innkeeper/protocol';
import { z } from 'zod';

/** The newest report that the control plane has accepted; `digest` is that of digestReport. */
const acceptedReportSchema = z.strictObject({
  observed_generation: z.int().min(1),
  outcome: z.enum(['applied', 'failed', 'progressing', 'absent']),
  digest: z.string(),
  /** Something went on by itself: what it comes to is no drift. */
  at_rest: z.literal(false).optional(),
});

/** One file of the ledger: what an account shall be, and what the control plane knows of it. */
export const ledgerEntrySchema = z.strictObject({
  version: z.literal(1),
  spec: accountSpecSchema,
  accepted_report: acceptedReportSchema.nullable(),
});

/** What stands around an entry in its file; without `sealed`, an earlier release wrote it. */
export const entryFileSchema = z.looseObject({
  spec: z.looseObject({}),
  sealed: z.base64().optional(),
});

export type AcceptedReport = z.infer<typeof acceptedReportSchema>;
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
