import { z } from 'zod';
import { hostingAccount } from '../record-references.ts';
import { timestamp, type ViewOf } from '../timestamp.ts';

const id = z.int().min(1);

const ssl = z.strictObject({
  /** Of the last requested certificate. `pending`: the node has not reported a result. */
  status: z.enum(['none', 'pending', 'active', 'failed']),
  /** Issuer of the active certificate, also while a newer one is pending or has failed. Null: none is active. */
  issuer: z.string().nullable(),
  expires_at: timestamp.nullable(),
  /** Error message of the certificate authority. */
  error: z.string().nullable(),
});

export const domain = z.strictObject({
  id,
  domain_name: z.string(),
  hosting_account_id: id,
  is_primary: z.boolean(),
  document_root: z.string(),
  /** `pending` until the first report of the node, `removing` until it is gone. */
  status: z.string(),
  status_reason: z.string().nullable(),
  ssl,
  created_at: timestamp,
  updated_at: timestamp,
});

export const domainWithAccount = domain.extend({ hosting_account: hostingAccount });

export type DomainListItem = ViewOf<typeof domain>;
export type DomainView = ViewOf<typeof domainWithAccount>;
