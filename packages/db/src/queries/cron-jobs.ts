import { DomainError } from '@innkeeper/domain';
import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { CronJobsTable, Database } from '../schema/index.ts';
import type { AccountRow } from './accounts.ts';
import { type Scope, within } from './scope.ts';
import { withTotal } from './with-total.ts';

/** A cron job joined with its account. */
export interface CronJobDetails extends Selectable<CronJobsTable> {
  account_username: string;
  account_generation: number;
  account_observed_generation: number;
  account_outcome: AccountRow['outcome'];
}

const columns = [
  'accounts.username as account_username',
  'accounts.generation as account_generation',
  'accounts.observed_generation as account_observed_generation',
  'accounts.outcome as account_outcome',
] as const;

/** Throws `not_found` for a cron job that does not exist or is outside the scope. */
export async function getCronJobDetails(
  db: Kysely<Database>,
  scope: Scope,
  cronJobId: number,
): Promise<CronJobDetails> {
  let query = db
    .selectFrom('cron_jobs')
    .innerJoin('accounts', 'accounts.id', 'cron_jobs.account_id')
    .selectAll('cron_jobs')
    .select(columns)
    .where('cron_jobs.id', '=', cronJobId);
  if (scope !== 'all') query = query.where(...within(scope));
  const row = await query.executeTakeFirst();
  if (row === undefined) throw new DomainError('not_found', `There is no cron job ${cronJobId}.`);
  return row;
}

/** One page of cron jobs, ordered by id, like `findDomainPage`. */
export async function findCronJobPage(
  db: Kysely<Database>,
  scope: Scope,
  page: { accountId?: number | undefined; offset: number; limit: number },
): Promise<{ rows: Selectable<CronJobsTable>[]; total: number }> {
  let chosen = db.selectFrom('cron_jobs');
  if (page.accountId !== undefined) chosen = chosen.where('account_id', '=', page.accountId);
  if (scope !== 'all')
    chosen = chosen.where('account_id', 'in', (eb) =>
      eb
        .selectFrom('accounts')
        .select('id')
        .where(...within(scope)),
    );
  const total = chosen.select((eb) => eb.fn.countAll<number>().as('total'));
  const ids = chosen.select('id').orderBy('id').limit(page.limit).offset(page.offset).as('page');
  const rows = await db
    .selectFrom(ids)
    .innerJoin('cron_jobs', 'cron_jobs.id', 'page.id')
    .selectAll('cron_jobs')
    .select(total.$asScalar().$notNull().as('total'))
    .orderBy('cron_jobs.id')
    .execute();
  return withTotal(rows, page, () => total.executeTakeFirstOrThrow());
}

/** Exact only while the account is locked. */
export async function countCronJobs(trx: Transaction<Database>, accountId: number): Promise<number> {
  const { jobs } = await trx
    .selectFrom('cron_jobs')
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return jobs;
}

/** Returns the new cron job's id. */
export async function insertCronJob(
  trx: Transaction<Database>,
  job: Insertable<CronJobsTable>,
): Promise<number> {
  const { insertId } = await trx.insertInto('cron_jobs').values(job).executeTakeFirstOrThrow();
  return Number(insertId);
}

/** The caller has locked the account. */
export async function updateCronJobRow(
  trx: Transaction<Database>,
  cronJobId: number,
  change: Updateable<CronJobsTable>,
): Promise<void> {
  await trx.updateTable('cron_jobs').set(change).where('id', '=', cronJobId).execute();
}

export async function deleteCronJobRow(trx: Transaction<Database>, cronJobId: number): Promise<void> {
  await trx.deleteFrom('cron_jobs').where('id', '=', cronJobId).execute();
}
