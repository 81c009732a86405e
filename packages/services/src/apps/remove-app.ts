import {
  type Database,
  getAppDetails,
  lockAccount,
  storeNextGeneration,
  updateApp,
  updateDatabase,
} from '@innkeeper/db';
import { assertChangeable } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';

type Removal = Written<Record<string, never>>;

/**
 * Starts the removal of an app and of the database that was made for it: both stay, as tombstones, until
 * their node reports them gone. Again while it goes: the same answer. Throws `not_found`, and
 * `precondition_failed` while the account is being terminated.
 */
export async function removeApp(ctx: ServiceContext, { app_id }: { app_id: number }): Promise<Removal> {
  const { written, changed } = await writeOnce(ctx, (trx) => remove(trx, ctx, app_id));
  if (changed) ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

async function remove(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  appId: number,
): Promise<{ written: Removal; changed: boolean }> {
  const scope = scopeOf(ctx.actor);
  const { account_id } = await getAppDetails(trx, scope, appId);
  const account = await lockAccount(trx, scope, account_id);
  assertChangeable(account.state);
  const app = await getAppDetails(trx, scope, appId);
  const written = {
    view: {},
    nodeId: account.node_id,
    accountId: account.id,
    generation: account.generation,
  };
  if (app.state === 'removing') return { written, changed: false };

  const now = ctx.now();
  await updateApp(trx, app.id, { state: 'removing', updated_at: now });
  if (app.database_id !== null)
    await updateDatabase(trx, app.database_id, { state: 'removing', updated_at: now });
  const generation = await storeNextGeneration(trx, account, {}, now);
  const { name, template_key, domain_id, database_id, status } = app;
  await audit(trx, ctx, {
    action: 'app.delete',
    target: `app:${app.id}`,
    account_id: account.id,
    details: { before: { name, template_key, domain_id, database_id, status }, generation },
  });
  return { written: { ...written, generation }, changed: true };
}
