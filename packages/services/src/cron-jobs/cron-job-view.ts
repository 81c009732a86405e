import type { CronJobListItem, CronJobView } from '@innkeeper/contract';
import type { CronJobDetails } from '@innkeeper/db';

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
