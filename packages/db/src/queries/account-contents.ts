import type { AccountUsage, AppStatus } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';

/** The number of an account's records in a table, as a subquery. */
export function countOf(
  db: Kysely<Database>,
  table: 'domains' | 'databases' | 'apps' | 'cron_jobs',
  accountId: number,
) {
  return db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('account_id', '=', accountId);
}

/** The number of an account's records that are not being removed, as a value of a query. */
export function countOfKept(
  db: Kysely<Database>,
  table: 'domains' | 'databases' | 'apps',
  accountId: number,
) {
  return countOf(db, table, accountId).where('state', '!=', 'removing').$asScalar().$notNull();
}

/**
 * Returns the account's present counts of everything that has a limit. One SQL statement. Records that are being
 * removed do not count.
 */
export async function getAccountUsage(db: Kysely<Database>, accountId: number): Promise<AccountUsage> {
  return await db
    .selectNoFrom((eb) => [
      countOfKept(db, 'domains', accountId).as('domains'),
      countOfKept(db, 'databases', accountId).as('databases'),
      countOfKept(db, 'apps', accountId).as('apps'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('usage_snapshots')
            .select('disk_used_mb')
            .where('account_id', '=', accountId)
            .$asScalar(),
          eb.lit(0),
        )
        .as('disk_used_mb'),
    ])
    .executeTakeFirstOrThrow();
}

/** The number of an account's records, with and without those that are being removed. The caller has locked it. */
export async function countRecords(
  trx: Transaction<Database>,
  table: 'databases' | 'apps',
  accountId: number,
): Promise<{ all: number; kept: number }> {
  const rows = await trx.selectFrom(table).select('state').where('account_id', '=', accountId).execute();
  return { all: rows.length, kept: rows.filter(({ state }) => state !== 'removing').length };
}

interface AppSummaryRow {
  id: number;
  name: string;
  template_key: string;
  status: AppStatus;
}

/** The account's oldest apps, except those that are being removed. */
export async function findAppSummaries(
  db: Kysely<Database>,
  accountId: number,
  limit: number,
): Promise<AppSummaryRow[]> {
  return await db
    .selectFrom('apps')
    .select(['id', 'name', 'template_key', 'status'])
    .where('account_id', '=', accountId)
    .where('state', '!=', 'removing')
    .orderBy('id')
    .limit(limit)
    .execute();
}
