import { type Database, findAppSummaries, findUsageSnapshot } from '@innkeeper/db';
import type { Kysely } from 'kysely';
import { templateName } from '../apps/app-templates.ts';
import type { ServiceContext } from '../context.ts';
import { type AccountView, type AppSummary, loadAccountView, type UsageView } from './account-view.ts';

const embeddedApps = 10;

/**
 * One account. `include`: `apps` adds its oldest apps, `usage` what it used when its node last measured it
 * (0 before the first time). Throws `not_found`.
 */
export async function getAccount(
  ctx: ServiceContext,
  { account_id, include }: { account_id: number; include: ReadonlySet<'apps' | 'usage'> },
): Promise<AccountView> {
  const view = await loadAccountView(ctx.db, ctx.actor, account_id);
  if (include.has('apps')) view.apps = await loadApps(ctx, account_id);
  if (include.has('usage')) view.usage = await loadUsage(ctx.db, view);
  return view;
}

async function loadApps({ db, appTemplates }: ServiceContext, accountId: number): Promise<AppSummary[]> {
  const apps = await findAppSummaries(db, accountId, embeddedApps);
  return apps.map((app) => ({ ...app, template_name: templateName(appTemplates, app.template_key) }));
}

async function loadUsage(db: Kysely<Database>, account: AccountView): Promise<UsageView> {
  const measured = await findUsageSnapshot(db, account.id);
  return {
    disk_used_mb: measured?.disk_used_mb ?? 0,
    disk_limit_mb: account.disk_limit_mb,
    bandwidth_used_mb: measured?.bandwidth_used_mb ?? 0,
    bandwidth_limit_mb: account.bandwidth_limit_mb,
    cpu_used_percent: measured?.cpu_used_percent ?? 0,
    cpu_limit_percent: account.cpu_limit_percent,
    ram_used_mb: measured?.ram_used_mb ?? 0,
    ram_limit_mb: account.ram_limit_mb,
    measured_at: measured?.taken_at ?? null,
  };
}
