import { z } from 'zod';
import { hostingAccount } from '../account-reference.ts';
import { timestamp } from '../timestamp.ts';

const id = z.int().min(1);

/** The domain’s certificate. `none` until a certificate is requested. */
const ssl = z.strictObject({
  status: z.enum(['none', 'pending', 'active', 'failed']),
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
  status: z.string(),
  status_reason: z.string().nullable(),
  ssl,
  created_at: timestamp,
  updated_at: timestamp,
});

export const domainWithAccount = domain.extend({ hosting_account: hostingAccount });
