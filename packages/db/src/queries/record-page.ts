import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Database } from '../schema/index.ts';
import { type Scope, within } from './scope.ts';

type RecordTable = 'domains' | 'databases' | 'apps' | 'cron_jobs';
type Records<T extends RecordTable> = SelectQueryBuilder<Database, T, object>;

/** A page of one account's records, or of all in the scope. */
export interface RecordPage {
  accountId?: number | undefined;
  offset: number;
  limit: number;
}

/** The records of one account, or of all accounts in the scope. */
export function recordsIn<T extends RecordTable>(
  db: Kysely<Database>,
  table: T,
  scope: Scope,
  { accountId }: RecordPage,
): Records<T> {
  // All these tables have `id` and `account_id`, but Kysely's types need one table.
  let records = db.selectFrom(table as 'domains');
  if (accountId !== undefined) records = records.where('account_id', '=', accountId);
  if (scope !== 'all')
    records = records.where('account_id', 'in', (eb) =>
      eb
        .selectFrom('accounts')
        .select('id')
        .where(...within(scope)),
    );
  return records as unknown as Records<T>;
}

/**
 * The ids of the page as the table `page`, ordered by id, and the number of all records. As for accounts, the ids of
 * the page are read before joins that do not filter them.
 */
export function pageOf<T extends RecordTable>(records: Records<T>, { offset, limit }: RecordPage) {
  const chosen = records as unknown as Records<'domains'>;
  return {
    ids: chosen.select('id').orderBy('id').limit(limit).offset(offset).as('page'),
    total: chosen.select((eb) => eb.fn.countAll<number>().as('total')),
  };
}

/**
 * A page whose rows each contain the total. The first row gives the total. For a page past the end, calls `countAll`.
 */
export async function withTotal<Row extends { total: number }>(
  rows: readonly Row[],
  { offset }: { offset: number },
  countAll: () => Promise<{ total: number }>,
): Promise<{ rows: Omit<Row, 'total'>[]; total: number }> {
  const [first] = rows;
  const total = first?.total ?? (offset === 0 ? 0 : (await countAll()).total);
  return { rows: rows.map(({ total: _, ...row }) => row), total };
}
