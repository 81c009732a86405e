import { deleteCronJobRow, storeNextGeneration } from '@innkeeper/db';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import type { Written } from '../written.ts';
import { auditedCronJob } from './cron-job-view.ts';
import { lockCronJob } from './lock-cron-job.ts';

/**
 * Removes a cron job: its row goes at once, because a node takes away every job that the account's spec does
 * not name. Throws as `lockCronJob` does.
 */
export async function removeCronJob(
  ctx: ServiceContext,
  { cron_job_id }: { cron_job_id: number },
): Promise<Written<Record<string, never>>> {
  const written = await writeOnce(ctx, async (trx) => {
    const { account, job } = await lockCronJob(trx, ctx, cron_job_id);
    await deleteCronJobRow(trx, cron_job_id);
    const generation = await storeNextGeneration(trx, account, {}, ctx.now());
    await audit(trx, ctx, {
      action: 'cron-job.delete',
      target: `cron-job:${cron_job_id}`,
      account_id: account.id,
      details: { generation, before: auditedCronJob(job) },
    });
    return { view: {}, nodeId: account.node_id, accountId: account.id, generation };
  });
  ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}
