import { getAppDetails } from '@innkeeper/db';
import type { AppInstaller, AppRuntime } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/** What decides what can be done with an app; its view tells how it is. */
export interface AppControls {
  runtime: AppRuntime;
  installer: AppInstaller;
  /** Desired state, independent of the node’s reports. */
  state: 'running' | 'stopped' | 'removing';
  /** Whether a database was made for it, which goes with it. */
  has_database: boolean;
}

/** Actions that are possible for an app. Throws `not_found`. */
export async function getAppControls(
  ctx: ServiceContext,
  { app_id }: { app_id: number },
): Promise<AppControls> {
  const { runtime, installer, state, database_id } = await getAppDetails(ctx.db, scopeOf(ctx.actor), app_id);
  return { runtime, installer, state, has_database: database_id !== null };
}
