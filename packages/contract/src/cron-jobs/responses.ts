import { z } from 'zod';
import { hostingAccount } from '../record-references.ts';
import { timestamp, type ViewOf } from '../timestamp.ts';

const id = z.int().min(1);

export const cronJob = z.strictObject({
  id,
  hosting_account_id: id,
  name: z.string(),
  schedule: z.string(),
  command: z.string(),
  enabled: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const cronJobWithAccount = cronJob.extend({
  hosting_account: hostingAccount,
  /** The node has applied the newest state of the account. */
  synced: z.boolean(),
});

export type CronJobListItem = ViewOf<typeof cronJob>;
export type CronJobView = ViewOf<typeof cronJobWithAccount>;
