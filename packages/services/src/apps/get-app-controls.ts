import { findPushHook, getAppDetails } from '@innkeeper/db';
import type { AppInstaller, AppRuntime } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/** The facts that decide which actions an app allows. Its view shows its status. */
export interface AppControls {
  runtime: AppRuntime;
  installer: AppInstaller;
  /** Desired state, independent of the node’s reports. */
  state: 'running' | 'stopped' | 'removing';
  /** Whether the app has its own database, which is removed with it. */
  has_database: boolean;
  /** Whether a push to its branch deploys it. */
  has_push_hook: boolean;
}

/** Actions that are possible for an app. Throws `not_found`. */
export async function getAppControls(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<AppControls> {
  const { runtime, installer, state, database_id } = await getAppDetails(ctx.db, scopeOf(ctx.actor), app_id);
  const hook = await findPushHook(ctx.db, app_id);
  return {
    runtime,
    installer,
    state,
    has_database: database_id !== null,
    has_push_hook: hook !== undefined,
  };
}
