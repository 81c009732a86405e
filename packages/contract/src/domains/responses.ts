import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

const id = z.int().min(1);

export const domain = z.strictObject({
  id,
  domain_name: z.string(),
  hosting_account_id: id,
  is_primary: z.boolean(),
  document_root: z.string(),
  status: z.string(),
  status_reason: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const domainWithAccount = domain.extend({
  hosting_account: z.strictObject({ id, username: z.string() }),
});
