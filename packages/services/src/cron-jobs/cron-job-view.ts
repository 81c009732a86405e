import type { CronJobDetails } from '@innkeeper/db';

export interface CronJobListItem {
  id: number;
  hosting_account_id: number;
  name: string;
  schedule: string;
  command: string;
  enabled: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface CronJobView extends CronJobListItem {
  hosting_account: { id: number; username: string };
  /** Whether the node has applied the newest generation of the account. */
  synced: boolean;
}

type Shown = Omit<CronJobListItem, 'hosting_account_id' | 'enabled'> & {
  account_id: number;
  enabled: number;
};

export function cronJobListItem(job: Shown): CronJobListItem {
  return {
    id: job.id,
    hosting_account_id: job.account_id,
    name: job.name,
    schedule: job.schedule,
    command: job.command,
    enabled: job.enabled === 1,
    created_at: job.created_at,
    updated_at: job.updated_at,
  };
}

export function cronJobView(job: CronJobDetails): CronJobView {
  return {
    ...cronJobListItem(job),
    hosting_account: { id: job.account_id, username: job.account_username },
    synced: job.account_observed_generation === job.account_generation && job.account_outcome === 'applied',
  };
}

/** Details of a cron job in an audit row. */
export function auditedCronJob({ name, schedule, command, enabled }: Shown) {
  return { name, schedule, command, enabled: enabled === 1 };
}
