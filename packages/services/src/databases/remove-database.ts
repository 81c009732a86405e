import type { DatabaseView } from '@innkeeper/contract';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { changeDatabase } from './change-database.ts';

/**
 * Starts the removal of a database. It stays as a tombstone until its node reports it gone. Its name is free only after
 * that. Idempotent while the removal is in progress. Throws like `changeDatabase`, and `precondition_failed` for a
 * database that belongs to an app.
 */
export async function removeDatabase(
  ctx: ServiceContext,
  { database_id }: { database_id: number },
): Promise<Written<DatabaseView>> {
  return await changeDatabase(ctx, 'database.delete', database_id, (_trx, database) => {
    if (database.state === 'removing') return null;
    if (database.app_id !== null)
      throw new DomainError(
        'precondition_failed',
        'This database belongs to an app, and is removed with it.',
      );
    const { name, db_name, allowed_ips, status } = database;
    return { columns: { state: 'removing' }, details: { before: { name, db_name, allowed_ips, status } } };
  });
}
