import { z } from 'zod';
import { hostingAccount } from '../record-references.ts';
import { timestamp, type ViewOf } from '../timestamp.ts';

const id = z.int().min(1);

export const database = z.strictObject({
  id,
  hosting_account_id: id,
  /** Display label. */
  name: z.string(),
  db_name: z.string(),
  db_user: z.string(),
  /**
   * Host name for the account's own apps. Remote clients with an allowed address use the names and addresses of the
   * account's hosting server.
   */
  db_host: z.string(),
  /** `pending` until the first report of the node, `removing` until it is gone. */
  status: z.enum(['pending', 'active', 'suspended', 'failed', 'removing']),
  status_reason: z.string().nullable(),
  /** Null if there are none. */
  allowed_ips: z.array(z.string()).min(1).nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const databaseWithAccount = database.extend({ hosting_account: hostingAccount });

export type DatabaseListItem = ViewOf<typeof database>;
export type DatabaseView = ViewOf<typeof databaseWithAccount>;
