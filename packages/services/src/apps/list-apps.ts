import type { AppListItem } from '@innkeeper/contract';
import { findAppPage, getManagingReseller } from '@innkeeper/db';
import type { AppStatus } from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { type Page, type PageRequest, rowsOf } from '../page.ts';
import { scopeOf } from '../scope.ts';
import { appListItem } from './app-view.ts';

export interface AppListRequest extends PageRequest {
  hosting_account_id?: number | undefined;
  status?: AppStatus | undefined;
}

/**
 * The apps that the actor sees, oldest first; filtered by account or status if given. Throws `not_found` for an account
 * that the actor does not see.
 */
export async function listApps(
  ctx: ServiceContext,
  { hosting_account_id, status, ...page }: AppListRequest,
): Promise<Page<AppListItem>> {
  const scope = scopeOf(ctx.actor);
  const { rows, total } = await findAppPage(ctx.db, scope, {
    accountId: hosting_account_id,
    status,
    ...rowsOf(page),
  });
  // An account without apps and an account that does not exist give the same result.
  if (hosting_account_id !== undefined && total === 0) {
    await getManagingReseller(ctx.db, scope, hosting_account_id);
  }
  const items = rows.map((row) => appListItem(ctx.appTemplates, row));
  return { items, page: page.page, per_page: page.per_page, total };
}
