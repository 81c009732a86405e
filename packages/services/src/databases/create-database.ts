import { getDatabaseDetails, lockAccount, storeNextGeneration } from '@innkeeper/db';
import { assertChangeable } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import { addDatabase } from './add-database.ts';
import { type DatabaseView, databaseView } from './database-view.ts';

export interface NewDatabase {
  hosting_account_id: number;
  /** Display label; the name on the server is made of it. */
  name?: string | undefined;
}

/**
 * Adds a database to an account, with a user of its own and a password that nobody is told. Throws
 * `not_found`, `precondition_failed` while the account is being terminated, `quota_exceeded`, and `invalid`
 * for a label whose name is taken.
 */
export async function createDatabase(
  ctx: ServiceContext,
  { hosting_account_id, name }: NewDatabase,
): Promise<Written<DatabaseView>> {
  const written = await writeOnce(ctx, async (trx) => {
    const scope = scopeOf(ctx.actor);
    const account = await lockAccount(trx, scope, hosting_account_id);
    assertChangeable(account.state);
    const id = await addDatabase(trx, ctx, account, { name, app_id: null });
    const generation = await storeNextGeneration(trx, account, {}, ctx.now());
    const view = databaseView(await getDatabaseDetails(trx, scope, id));
    await audit(trx, ctx, {
      action: 'database.create',
      target: `database:${id}`,
      account_id: account.id,
      details: { generation, after: { name: view.name, db_name: view.db_name } },
    });
    return { view, nodeId: account.node_id, accountId: account.id, generation };
  });
  ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}
