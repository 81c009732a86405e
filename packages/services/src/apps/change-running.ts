import type { AppView } from '@innkeeper/contract';
import { getAppDetails, updateApp } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { changeDesired, type Written } from '../desired-state.ts';
import { scopeOf } from '../scope.ts';
import { assertKept, assertMayRun } from './app-policy.ts';
import { appView } from './app-view.ts';

/** Status until the node reports a result. */
const underWay = { running: 'starting', stopped: 'stopping' } as const;
const actions = { running: 'app.start', stopped: 'app.stop' } as const;

/**
 * Starts or stops the program of an app. Writes nothing if the app has that desired state already. Throws `not_found`,
 * and `precondition_failed` for an app without a program, for an app that is being removed, and for an account that
 * must not run anything.
 */
export async function changeRunning(
  ctx: ServiceContext,
  { app_id: id, state }: { app_id: number; state: 'running' | 'stopped' },
): Promise<Written<AppView>> {
  const asked = { action: actions[state], kind: 'app', id, requireState: assertMayRun } as const;
  return await changeDesired(ctx, asked, async (trx, _account, now) => {
    const app = await getAppDetails(trx, scopeOf(ctx.actor), id);
    assertKept(app);
    if (app.runtime !== 'nodejs')
      throw new DomainError(
        'precondition_failed',
        `App ${id} runs no program of its own: there is nothing to start or stop.`,
      );
    const view = (shown = app) => appView(ctx.appTemplates, shown, app.variables);
    if (app.state === state) return { details: null, view };
    const change = { state, status: underWay[state], status_reason: null, updated_at: now };
    await updateApp(trx, id, change);
    return {
      details: { name: app.name, before: { state: app.state }, after: { state } },
      view: () => view({ ...app, ...change }),
    };
  });
}
