import type { CronJobListItem } from '@innkeeper/contract';
import { findCronJobPage, getManagingReseller } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { type Page, type PageRequest, rowsOf } from '../page.ts';
import { scopeOf } from '../scope.ts';
import { cronJobListItem } from './cron-job-view.ts';

/**
 * The cron jobs that the actor sees, oldest first; of one account if given. Throws `not_found` for an account that the
 * actor does not see.
 */
export async function listCronJobs(
  ctx: ServiceContext,
  { hosting_account_id, ...page }: PageRequest & { hosting_account_id?: number | undefined },
): Promise<Page<CronJobListItem>> {
  const scope = scopeOf(ctx.actor);
  const { rows, total } = await findCronJobPage(ctx.db, scope, {
    accountId: hosting_account_id,
    ...rowsOf(page),
  });
  // An account without cron jobs and an account that does not exist give the same result.
  if (hosting_account_id !== undefined && total === 0) {
    await getManagingReseller(ctx.db, scope, hosting_account_id);
  }
  return { items: rows.map(cronJobListItem), page: page.page, per_page: page.per_page, total };
}
