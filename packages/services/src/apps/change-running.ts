import {
  type AccountRow,
  type AppDetails,
  type Database,
  getAppDetails,
  lockAccount,
  storeNextGeneration,
  updateApp,
} from '@innkeeper/db';
import { assertChangeable, DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import { audit } from '../audit.ts';
import type { ServiceContext } from '../context.ts';
import { writeOnce } from '../idempotency/write-once.ts';
import { scopeOf } from '../scope.ts';
import type { Written } from '../written.ts';
import { assertKept } from './app-policy.ts';
import type { AppView } from './app-view.ts';
import { loadAppView } from './get-app.ts';

/** Until the node has said how it went. */
const underWay = { running: 'starting', stopped: 'stopping' } as const;
const actions = { running: 'app.start', stopped: 'app.stop' } as const;

/**
 * Has the program of an app run, or not. Of one that shall do so already nothing is written. Throws `not_found`,
 * and `precondition_failed` for an app without a program or that is being removed, and for an account that
 * must not run anything.
 */
export async function changeRunning(
  ctx: ServiceContext,
  { app_id, state }: { app_id: number; state: 'running' | 'stopped' },
): Promise<Written<AppView>> {
  const { written, changed } = await writeOnce(ctx, (trx) => change(trx, ctx, { app_id, state }));
  if (changed) ctx.wakeNode(written.nodeId, written.accountId, written.generation);
  return written;
}

async function change(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  { app_id, state }: { app_id: number; state: 'running' | 'stopped' },
): Promise<{ written: Written<AppView>; changed: boolean }> {
  const scope = scopeOf(ctx.actor);
  const { account_id } = await getAppDetails(trx, scope, app_id);
  const account = await lockAccount(trx, scope, account_id);
  const app = await getAppDetails(trx, scope, app_id);
  assertChangeable(account.state);
  if (account.state === 'suspended')
    throw new DomainError('precondition_failed', 'This account is suspended: its apps do not run.');
  assertKept(app);
  if (app.runtime !== 'nodejs')
    throw new DomainError(
      'precondition_failed',
      `App ${app_id} runs no program of its own: there is nothing to start or stop.`,
    );
  const changed = app.state !== state;
  const generation = changed ? await want(trx, ctx, { account, app, state }) : account.generation;
  const view = await loadAppView(trx, ctx, app_id);
  return { written: { view, nodeId: account.node_id, accountId: account.id, generation }, changed };
}

async function want(
  trx: Transaction<Database>,
  ctx: ServiceContext,
  { account, app, state }: { account: AccountRow; app: AppDetails; state: 'running' | 'stopped' },
): Promise<number> {
  const now = ctx.now();
  await updateApp(trx, app.id, { state, status: underWay[state], status_reason: null, updated_at: now });
  const generation = await storeNextGeneration(trx, account, {}, now);
  await audit(trx, ctx, {
    action: actions[state],
    target: `app:${app.id}`,
    account_id: account.id,
    details: { name: app.name, before: { state: app.state }, after: { state }, generation },
  });
  return generation;
}
