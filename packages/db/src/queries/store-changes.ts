import { type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';

/** Even with errors of maximum length a statement of this many values stays far below every server's limit. */
const VALUES_IN_ONE_STATEMENT = 1_000;

/**
 * Stores new values of some columns in several records of an account, in few statements. Every change has the same
 * columns. The caller has locked the account. `now`: null keeps `updated_at`.
 */
export async function storeChanges<T extends 'domains' | 'apps' | 'databases'>(
  trx: Transaction<Database>,
  table: T,
  accountId: number,
  changes: readonly (Partial<Selectable<Database[T]>> & { id: number })[],
  now: Date | null,
): Promise<void> {
  const columns = Object.keys(changes[0] ?? {}).filter((column) => column !== 'id');
  const size = Math.floor(VALUES_IN_ONE_STATEMENT / columns.length);
  for (let start = 0; start < changes.length; start += size) {
    const batch: readonly Record<string, unknown>[] = changes.slice(start, start + size);
    const values = columns.map((column) => {
      const cases = batch.map((change) => sql`when ${change.id} then ${change[column]}`);
      return [column, sql`case id ${sql.join(cases, sql` `)} end`];
    });
    // All these tables have `id`, `account_id` and `updated_at`, but Kysely's types need one table.
    await trx
      .updateTable(table as 'domains')
      .set({ ...Object.fromEntries(values), ...(now === null ? {} : { updated_at: now }) })
      .where('account_id', '=', accountId)
      .where(
        'id',
        'in',
        batch.map(({ id }) => Number(id)),
      )
      .execute();
  }
}
