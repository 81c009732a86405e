import { getCronJobDetails, storeNextGeneration, updateCronJobRow } from '@innkeeper/db';
import { audit } from '../audit.ts';
import { changedFields } from '../changed-fields.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import { auditedCronJob, type CronJobView, cronJobView } from './cron-job-view.ts';
import { lockCronJob } from './lock-cron-job.ts';

export interface CronJobUpdate {
  cron_job_id: number;
  /** Left out, as every other field may be: as it is. */
  name?: string | undefined;
  schedule?: string | undefined;
  command?: string | undefined;
  enabled?: boolean | undefined;
}

/** Changes a cron job, whose fields are as in `NewCronJob`. Throws as `lockCronJob` does. */
export async function updateCronJob(
  ctx: ServiceContext,
  { cron_job_id, name, schedule, command, enabled }: CronJobUpdate,
): Promise<Written<CronJobView>> {
  const written = await writeOnce(ctx, async (trx) => {
    const { account, job } = await lockCronJob(trx, ctx, cron_job_id);
    const now = ctx.now();
    await updateCronJobRow(trx, cron_job_id, {
      ...(name === undefined ? {} : { name }),
      ...(schedule === undefined ? {} : { schedule }),
      ...(command === undefined ? {} : { command }),
      ...(enabled === undefined ? {} : { enabled }),
      updated_at: now,
    });
    const generation = await storeNextGeneration(trx, account, {}, now);
    const updated = await getCronJobDetails(trx, scopeOf(ctx.actor), cron_job_id);
    await audit(trx, ctx, {
      action: 'cron-job.update',
      target: `cron-job:${cron_job_id}`,
      account_id: account.id,
      details: { name: job.name, generation, ...changedFields(auditedCronJob(job), auditedCronJob(updated)) },
    });
    return { view: cronJobView(updated), nodeId: account.node_id, accountId: account.id, generation };
  });
  ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}
