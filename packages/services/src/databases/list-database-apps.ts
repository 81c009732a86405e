import { type DatabaseApp, findDatabaseApps } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

export type { DatabaseApp };

/** The app of each of these databases that belongs to one, by the id of the database. Others in the scope have none. */
export async function listDatabaseApps(
  ctx: ServiceContext,
  { database_ids }: { database_ids: readonly number[] },
): Promise<Map<number, DatabaseApp>> {
  const apps = await findDatabaseApps(ctx.db, scopeOf(ctx.actor), database_ids);
  return new Map(apps.map((app) => [app.database_id, app]));
}
