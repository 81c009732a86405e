import type { AppView } from '@innkeeper/contract';
import { type Database, getAppDetails } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { appView } from './app-view.ts';

/** One app, with its variables. Throws `not_found`. */
export async function getApp(ctx: ServiceContext, { app_id }: { app_id: number }): Promise<AppView> {
  return await loadAppView(ctx.db, ctx, app_id);
}

/** The app as the actor sees it. Throws `not_found` outside the actor's scope. */
export async function loadAppView(
  db: Kysely<Database>,
  { actor, appTemplates }: Pick<ServiceContext, 'actor' | 'appTemplates'>,
  appId: number,
): Promise<AppView> {
  const app = await getAppDetails(db, scopeOf(actor), appId);
  return appView(appTemplates, app, app.variables);
}
