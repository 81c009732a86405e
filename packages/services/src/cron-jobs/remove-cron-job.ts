import { deleteCronJobRow, getCronJobDetails } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';
import { auditedCronJob } from './cron-job-view.ts';

/**
 * Removes a cron job. Its row is deleted at once, because a node removes every job that is not in the account's spec.
 * Throws `not_found`, and `precondition_failed` while the account is being terminated.
 */
export async function removeCronJob(
  ctx: ServiceContext,
  { cron_job_id: id }: { cron_job_id: number },
): Promise<Written<Record<string, never>>> {
  const asked = { action: 'cron-job.delete', kind: 'cron-job', id } as const;
  return await changeDesired(ctx, asked, async (trx) => {
    const job = await getCronJobDetails(trx, scopeOf(ctx.actor), id);
    await deleteCronJobRow(trx, id);
    return { details: { before: auditedCronJob(job) }, view: () => ({}) };
  });
}
