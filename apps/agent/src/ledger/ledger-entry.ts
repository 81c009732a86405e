import { accountSpecSchema } from '@innkeeper/protocol';
import { z } from 'zod';

/** The newest report that the control plane has accepted. `digest` is the result of digestReport. */
const acceptedReportSchema = z.strictObject({
  observed_generation: z.int().min(1),
  outcome: z.enum(['applied', 'failed', 'progressing', 'absent']),
  digest: z.string(),
  /** Background work was still running: its result is not drift. */
  at_rest: z.literal(false).optional(),
});

/** One file of the ledger: an account's spec, and the newest report that the control plane has accepted. */
export const ledgerEntrySchema = z.strictObject({
  version: z.literal(1),
  spec: z.preprocess(withoutContacts, accountSpecSchema),
  accepted_report: acceptedReportSchema.nullable(),
});

/** Entries of earlier releases have the contact address of each certificate, which no authority received. */
function withoutContacts(spec: unknown): unknown {
  const { domains } = (spec ?? {}) as { domains?: unknown };
  if (!Array.isArray(domains)) return spec;
  for (const domain of domains) delete domain?.certificate_email;
  return spec;
}

/** The envelope of an entry in its file. Files without `sealed` were written by an earlier release. */
export const entryFileSchema = z.looseObject({
  spec: z.looseObject({}),
  sealed: z.base64().optional(),
});

export type AcceptedReport = z.infer<typeof acceptedReportSchema>;
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
