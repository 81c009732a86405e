import type { CronJobView, NewCronJob } from '@innkeeper/contract';
import { type AccountRow, countCronJobs, type Database, insertCronJob } from '@innkeeper/db';
import { CRON_JOBS_PER_ACCOUNT, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { LOWERCASE_AND_DIGITS, randomCharacters } from '../secrets/random-secrets.ts';
import { auditedCronJob, cronJobListItem } from './cron-job-view.ts';

/**
 * Adds an enabled cron job to an account. Throws `not_found`, `precondition_failed` while the account is being
 * terminated, and `quota_exceeded`.
 */
export async function createCronJob(
  ctx: ServiceContext,
  { hosting_account_id, name, schedule, command }: NewCronJob,
): Promise<Written<CronJobView>> {
  const asked = { action: 'cron-job.create', kind: 'account', id: hosting_account_id } as const;
  return await changeDesired(ctx, asked, async (trx, account, now) => {
    await requireRoom(trx, account);
    const row = {
      account_id: account.id,
      name: name ?? `cron-${randomCharacters(LOWERCASE_AND_DIGITS, 6)}`,
      schedule,
      command,
      enabled: 1,
      created_at: now,
      updated_at: now,
    };
    const job = { ...row, id: await insertCronJob(trx, row) };
    const hosting_account = { id: account.id, username: account.username };
    return {
      target: `cron-job:${job.id}`,
      details: { after: auditedCronJob(job) },
      view: () => ({ ...cronJobListItem(job), hosting_account, synced: false }),
    };
  });
}

async function requireRoom(trx: Transaction<Database>, account: AccountRow): Promise<void> {
  const most = Math.min(account.max_cron_jobs, CRON_JOBS_PER_ACCOUNT);
  if ((await countCronJobs(trx, account.id)) >= most)
    throw new DomainError('quota_exceeded', `Cron job limit reached (${most}).`);
}
