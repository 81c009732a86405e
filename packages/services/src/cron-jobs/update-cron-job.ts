import type { CronJobUpdate, CronJobView } from '@innkeeper/contract';
import { getCronJobDetails, updateCronJobRow } from '@innkeeper/db';
import { changedFields } from '../changed-fields.ts';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';
import { auditedCronJob, cronJobView } from './cron-job-view.ts';

/**
 * Changes a cron job. Its fields are the same as in `NewCronJob`. Throws `not_found`, and `precondition_failed` while
 * the account is being terminated.
 */
export async function updateCronJob(
  ctx: ServiceContext,
  { cron_job_id: id, ...fields }: CronJobUpdate & { cron_job_id: number },
): Promise<Written<CronJobView>> {
  const asked = { action: 'cron-job.update', kind: 'cron-job', id } as const;
  return await changeDesired(ctx, asked, async (trx, _account, now) => {
    const job = await getCronJobDetails(trx, scopeOf(ctx.actor), id);
    const { name = job.name, schedule = job.schedule, command = job.command } = fields;
    const enabled = Number(fields.enabled ?? job.enabled);
    const change = { name, schedule, command, enabled, updated_at: now };
    await updateCronJobRow(trx, id, change);
    const updated = { ...job, ...change };
    return {
      details: { name: job.name, ...changedFields(auditedCronJob(job), auditedCronJob(updated)) },
      view: () => ({ ...cronJobView(updated), synced: false }),
    };
  });
}
