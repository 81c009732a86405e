import type { DatabaseView } from '@innkeeper/contract';
import type { ServiceContext } from '../context.ts';
import type { Written } from '../desired-state.ts';
import { newDatabasePassword } from '../passwords/database-password.ts';
import { assertKept, changeDatabase } from './change-database.ts';

/**
 * Gives a database's user a new password, which only the panel shows. Throws like `changeDatabase`, and
 * `precondition_failed` for a database that is being removed.
 */
export async function resetDatabasePassword(
  ctx: ServiceContext,
  { database_id }: { database_id: number },
): Promise<Written<DatabaseView>> {
  return await changeDatabase(ctx, 'database.password', database_id, (_trx, database) => {
    assertKept(database);
    return {
      columns: {
        sealed_password: ctx.sealer.seal('database-password', newDatabasePassword()),
        password_revision: database.password_revision + 1,
      },
      details: { replaced: ['password'] },
    };
  });
}
