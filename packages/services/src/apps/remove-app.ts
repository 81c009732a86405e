import { getAppDetails, updateApp, updateDatabase } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';

/**
 * Starts the removal of an app and of its own database. Both stay as tombstones until their node reports them gone.
 * Idempotent while the removal is in progress. Throws `not_found`, and `precondition_failed` while the account is being
 * terminated.
 */
export async function removeApp(
  ctx: ServiceContext,
  { app_id: id }: { app_id: number },
): Promise<Written<Record<string, never>>> {
  return await changeDesired(ctx, { action: 'app.delete', kind: 'app', id }, async (trx, _account, now) => {
    const app = await getAppDetails(trx, scopeOf(ctx.actor), id);
    if (app.state === 'removing') return { details: null, view: () => ({}) };
    const { name, template_key, domain_id, database_id, status } = app;
    await updateApp(trx, id, { state: 'removing', updated_at: now });
    if (database_id !== null) await updateDatabase(trx, database_id, { state: 'removing', updated_at: now });
    return { details: { before: { name, template_key, domain_id, database_id, status } }, view: () => ({}) };
  });
}
