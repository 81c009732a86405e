import { type Database, getManagingReseller, type RecordPage, type Scope } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import type { ServiceContext } from './context.ts';
import { type Page, type PageRequest, rowsOf } from './page.ts';
import { scopeOf } from './scope.ts';

export interface RecordListRequest extends PageRequest {
  hosting_account_id?: number | undefined;
}

/**
 * A page of the records that the actor sees, oldest first; of one account if given. `find` may read more filters of the
 * request. Throws `not_found` for an account that the actor does not see.
 */
export async function listRecords<Request extends RecordListRequest, Row, Item>(
  ctx: ServiceContext,
  request: Request,
  find: (
    db: Kysely<Database>,
    scope: Scope,
    page: Request & RecordPage,
  ) => Promise<{ rows: Row[]; total: number }>,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const { hosting_account_id: accountId, page, per_page } = request;
  const scope = scopeOf(ctx.actor);
  const { rows, total } = await find(ctx.db, scope, { ...request, accountId, ...rowsOf(request) });
  // An account without records and an account that does not exist give the same result.
  if (accountId !== undefined && total === 0) await getManagingReseller(ctx.db, scope, accountId);
  return { items: rows.map(itemOf), page, per_page, total };
}
