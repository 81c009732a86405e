import { z } from 'zod';
import { hostingAccount } from '../account-reference.ts';
import { timestamp } from '../timestamp.ts';

const id = z.int().min(1);

export const database = z.strictObject({
  id,
  hosting_account_id: id,
  name: z.string(),
  db_name: z.string(),
  db_user: z.string(),
  db_host: z.string(),
  status: z.enum(['pending', 'active', 'suspended', 'failed', 'removing']),
  status_reason: z.string().nullable(),
  /** Null if there are none. */
  allowed_ips: z.array(z.string()).min(1).nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const databaseWithAccount = database.extend({ hosting_account: hostingAccount });
