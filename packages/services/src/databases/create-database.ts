import type { DatabaseView, NewDatabase } from '@innkeeper/contract';
import { getDatabaseDetails } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';
import { addDatabase } from './add-database.ts';
import { databaseView } from './database-view.ts';

/**
 * Adds a database to an account, with its own user and a password that is not returned. Throws `not_found`,
 * `precondition_failed` while the account is being terminated, `quota_exceeded`, and `invalid` for a label whose name
 * is taken.
 */
export async function createDatabase(
  ctx: ServiceContext,
  { hosting_account_id, name }: NewDatabase,
): Promise<Written<DatabaseView>> {
  const asked = { action: 'database.create', kind: 'account', id: hosting_account_id } as const;
  return await changeDesired(ctx, asked, async (trx, account) => {
    const id = await addDatabase(trx, ctx, account, { name, app_id: null });
    const view = databaseView(await getDatabaseDetails(trx, scopeOf(ctx.actor), id));
    const after = { name: view.name, db_name: view.db_name };
    return { target: `database:${id}`, details: { after }, view: () => view };
  });
}
