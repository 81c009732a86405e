import {
  type AccountRow,
  countCronJobs,
  type Database,
  insertCronJob,
  lockAccount,
  storeNextGeneration,
} from '@innkeeper/db';
import { assertChangeable, CRON_JOBS_PER_ACCOUNT, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { LOWERCASE_AND_DIGITS, randomCharacters } from '../random-characters.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import { auditedCronJob, type CronJobView, cronJobView } from './cron-job-view.ts';

export interface NewCronJob {
  hosting_account_id: number;
  /** Made up when left out. */
  name?: string | undefined;
  /** As `readCronSchedule` gives it. */
  schedule: string;
  /** One that `cronCommandRules` have nothing to say about. */
  command: string;
}

/**
 * Adds a cron job to an account; it is enabled. Throws `not_found`, `precondition_failed` while the account
 * is being terminated, and `quota_exceeded`.
 */
export async function createCronJob(ctx: ServiceContext, input: NewCronJob): Promise<Written<CronJobView>> {
  const written = await writeOnce(ctx, (trx) => create(trx, ctx, input));
  ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

async function create(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  { hosting_account_id, name, schedule, command }: NewCronJob,
): Promise<Written<CronJobView>> {
  const account = await lockAccount(trx, scopeOf(ctx.actor), hosting_account_id);
  assertChangeable(account.state);
  await requireRoom(trx, account);
  const now = ctx.now();
  const written = {
    account_id: account.id,
    name: name ?? `cron-${randomCharacters(LOWERCASE_AND_DIGITS, 6)}`,
    schedule,
    command,
    created_at: now,
    updated_at: now,
  };
  const id = await insertCronJob(trx, { ...written, enabled: true });
  const generation = await storeNextGeneration(trx, account, {}, now);
  // The account is locked: what was written, and what was read of it, is what a read would say.
  const job = {
    ...written,
    id,
    enabled: 1,
    account_username: account.username,
    account_generation: generation,
    account_observed_generation: account.observed_generation,
    account_outcome: account.outcome,
  };
  await audit(trx, ctx, {
    action: 'cron-job.create',
    target: `cron-job:${id}`,
    account_id: account.id,
    details: { generation, after: auditedCronJob(job) },
  });
  return { view: cronJobView(job), nodeId: account.node_id, accountId: account.id, generation };
}

async function requireRoom(trx: Transaction<Database>, account: AccountRow): Promise<void> {
  const most = Math.min(account.max_cron_jobs, CRON_JOBS_PER_ACCOUNT);
  if ((await countCronJobs(trx, account.id)) >= most)
    throw new DomainError('quota_exceeded', `Cron job limit reached (${most}).`);
}
