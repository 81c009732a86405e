import { DomainError } from '@innkeeper/domain';
import type { Kysely, Selectable, Transaction, Updateable } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { CronJobsTable, Database } from '../schema/index.ts';
import type { AccountRow } from './accounts.ts';
import { pageOf, type RecordPage, recordsIn, withTotal } from './record-page.ts';
import { type Scope, within } from './scope.ts';

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
  const { rows } =
    scope === 'all'
      ? await findAnyJob(db, { cronJobId })
      : {
          rows: await jobWithAccount(db, cronJobId)
            .where(...within(scope))
            .execute(),
        };
  const [row] = rows;
  if (row === undefined) throw new DomainError('not_found', `There is no cron job ${cronJobId}.`);
  return row;
}

const findAnyJob = compileOnce((db, { cronJobId }: { cronJobId: number }) =>
  jobWithAccount(db, cronJobId).compile(),
);

function jobWithAccount(db: Kysely<Database>, cronJobId: number) {
  return db
    .selectFrom('cron_jobs')
    .innerJoin('accounts', 'accounts.id', 'cron_jobs.account_id')
    .selectAll('cron_jobs')
    .select(columns)
    .where('cron_jobs.id', '=', cronJobId);
}

/** One page of cron jobs, ordered by id, and the total. */
export async function findCronJobPage(
  db: Kysely<Database>,
  scope: Scope,
  page: RecordPage,
): Promise<{ rows: Selectable<CronJobsTable>[]; total: number }> {
  const { ids, total } = pageOf(recordsIn(db, 'cron_jobs', scope, page), page);
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
  const { rows } = await countOfAccount(trx, { accountId });
  return rows[0]?.jobs ?? 0;
}

const countOfAccount = compileOnce((db, { accountId }: { accountId: number }) =>
  db
    .selectFrom('cron_jobs')
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .where('account_id', '=', accountId)
    .compile(),
);

type NewCronJob = Omit<Selectable<CronJobsTable>, 'id'>;

/** Returns the new cron job's id. */
export async function insertCronJob(trx: Transaction<Database>, job: NewCronJob): Promise<number> {
  return Number((await insertJob(trx, { ...job })).insertId);
}

const insertJob = compileOnce((db, job: Record<keyof NewCronJob, Date | number | string>) => {
  const { account_id, name, schedule, command, enabled, created_at, updated_at } = job as NewCronJob;
  return db
    .insertInto('cron_jobs')
    .values({ account_id, name, schedule, command, enabled, created_at, updated_at })
    .compile();
});

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
