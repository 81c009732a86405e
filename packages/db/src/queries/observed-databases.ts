import type { Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';

/** Deletes databases with their allowed addresses. */
export async function deleteGoneDatabases(
  trx: Transaction<Database>,
  accountId: number,
  databaseIds: readonly number[],
): Promise<void> {
  await trx
    .deleteFrom('database_allowed_ips')
    .where('account_id', '=', accountId)
    .where('database_id', 'in', databaseIds)
    .execute();
  await trx
    .deleteFrom('databases')
    .where('account_id', '=', accountId)
    .where('id', 'in', databaseIds)
    .execute();
}
