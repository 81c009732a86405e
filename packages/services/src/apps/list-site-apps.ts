import type { AppListItem } from '@innkeeper/contract';
import { findAppsOfDomains } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';
import { appListItem } from './app-view.ts';

/** The app of each of these domains that has one, by the id of the domain. Domains outside the scope have none. */
export async function listSiteApps(
  ctx: ServiceContext,
  { domain_ids }: { domain_ids: readonly number[] },
): Promise<Map<number, AppListItem>> {
  const apps = await findAppsOfDomains(ctx.db, scopeOf(ctx.actor), domain_ids);
  return new Map(apps.map((app) => [app.domain_id ?? 0, appListItem(ctx.appTemplates, app)]));
}
