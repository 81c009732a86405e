import { getSealedPassword } from '@innkeeper/db';
import { requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import { assertKept } from './change-database.ts';

/**
 * The plain-text password of a database's user, for display in the panel. Writes an audit row that it was shown. Throws
 * `not_found`, and `precondition_failed` for a database that is being removed.
 */
export async function showDatabasePassword(
  ctx: ServiceContext,
  { database_id }: { database_id: number },
): Promise<string> {
  requireMay(ctx.actor.role, 'database.show-password');
  return await writeOnce(ctx, async (trx) => {
    const database = await getSealedPassword(trx, scopeOf(ctx.actor), database_id);
    assertKept(database);
    const password = ctx.sealer.open('database-password', database.sealed_password);
    await audit(trx, ctx, {
      action: 'database.show-password',
      target: `database:${database_id}`,
      account_id: database.account_id,
      details: { db_name: database.db_name },
    });
    return password;
  });
}
