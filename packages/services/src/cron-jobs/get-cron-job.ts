import type { CronJobView } from '@innkeeper/contract';
import { getCronJobDetails } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { cronJobView } from './cron-job-view.ts';

/** One cron job. Throws `not_found`. */
export async function getCronJob(
  ctx: ServiceContext,
  { cron_job_id }: { cron_job_id: number },
): Promise<CronJobView> {
  return cronJobView(await getCronJobDetails(ctx.db, scopeOf(ctx.actor), cron_job_id));
}
