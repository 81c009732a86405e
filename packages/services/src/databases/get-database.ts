import type { DatabaseView } from '@innkeeper/contract';
import { getDatabaseDetails } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { databaseView } from './database-view.ts';

/** One database. Throws `not_found`. */
export async function getDatabase(
  ctx: ServiceContext,
  { database_id }: { database_id: number },
): Promise<DatabaseView> {
  return databaseView(await getDatabaseDetails(ctx.db, scopeOf(ctx.actor), database_id));
}
