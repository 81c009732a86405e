import type { AccountView, AppSummary } from '@innkeeper/contract';
import { findAppSummaries } from '@innkeeper/db';
import { templateName } from '../apps/app-templates.ts';
import type { ServiceContext } from '../context.ts';
import { getUsage } from '../usage/get-usage.ts';
import { loadAccountView } from './account-view.ts';

const embeddedApps = 10;

/**
 * One account. `include`: `apps` adds its oldest apps, `usage` adds its usage as `getUsage` returns it. Throws
 * `not_found`.
 */
export async function getAccount(
  ctx: ServiceContext,
  { account_id, include }: { account_id: number; include: ReadonlySet<'apps' | 'usage'> },
): Promise<AccountView> {
  return {
    ...(await loadAccountView(ctx.db, ctx.actor, account_id)),
    ...(include.has('apps') && { apps: await loadApps(ctx, account_id) }),
    ...(include.has('usage') && { usage: await getUsage(ctx, { account_id }) }),
  };
}

async function loadApps({ db, appTemplates }: ServiceContext, accountId: number): Promise<AppSummary[]> {
  const apps = await findAppSummaries(db, accountId, embeddedApps);
  return apps.map((app) => ({ ...app, template_name: templateName(appTemplates, app.template_key) }));
}
