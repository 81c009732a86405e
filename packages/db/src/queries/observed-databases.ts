import type { Selectable, Transaction } from 'kysely';
import type { Database, DatabasesTable } from '../schema/index.ts';

export interface DatabaseStatusChange {
  id: number;
  status: Selectable<DatabasesTable>['status'];
  status_reason: string | null;
}

/** One SQL statement for all databases with the same status. */
export async function storeDatabaseStatuses(
  trx: Transaction<Database>,
  accountId: number,
  changes: readonly DatabaseStatusChange[],
  now: Date,
): Promise<void> {
  const alike = Map.groupBy(changes, ({ status, status_reason }) => `${status} ${status_reason ?? ''}`);
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined) continue;
    await trx
      .updateTable('databases')
      .set({ status: first.status, status_reason: first.status_reason, updated_at: now })
      .where('account_id', '=', accountId)
      .where(
        'id',
        'in',
        group.map(({ id }) => id),
      )
      .execute();
  }
}

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
