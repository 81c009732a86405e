import { type AccountHosting, getAccountHosting } from '@innkeeper/db';
import {
  APPS_PER_ACCOUNT,
  CRON_JOBS_PER_ACCOUNT,
  DATABASES_PER_ACCOUNT,
  DOMAINS_PER_ACCOUNT,
} from '@innkeeper/domain';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/** Number of records and their limit. Records that are being removed do not count. */
export interface Counted {
  used: number;
  limit: number;
}

/** Facts about the account’s server for the customer, and the used and allowed numbers of records. */
export interface HostingView {
  server: {
    /** IP address or host name of the sites. The customer's DNS must point to it. */
    address: string;
    /** PHP version of the sites: `8.2`. Null: the server has not reported it. */
    php_version: string | null;
    /** Time zone in which cron runs jobs: an IANA name. Null until the server has reported it. */
    time_zone: string | null;
    /** Whether the server sent a heartbeat within the last 45 s. */
    online: boolean;
  };
  /** Whether the server has applied the newest state. `failed`: it could not. */
  applied: 'yes' | 'under_way' | 'failed';
  domains: Counted;
  databases: Counted;
  apps: Counted;
  cron_jobs: Counted;
}

/** Throws `not_found`. */
export async function getHosting(
  ctx: ServiceContext,
  { account_id }: { account_id: number },
): Promise<HostingView> {
  const row = await getAccountHosting(ctx.db, scopeOf(ctx.actor), account_id);
  const { domains, databases, apps, cron_jobs } = row;
  return {
    server: {
      address: row.address,
      php_version: row.php_version,
      time_zone: row.time_zone,
      online: row.online === 1,
    },
    applied: appliedOf(row),
    domains: { used: domains, limit: Math.min(row.max_domains, DOMAINS_PER_ACCOUNT) },
    databases: { used: databases, limit: Math.min(row.max_databases, DATABASES_PER_ACCOUNT) },
    apps: { used: apps, limit: Math.min(row.max_apps, APPS_PER_ACCOUNT) },
    cron_jobs: { used: cron_jobs, limit: Math.min(row.max_cron_jobs, CRON_JOBS_PER_ACCOUNT) },
  };
}

function appliedOf({ generation, observed_generation, outcome }: AccountHosting): HostingView['applied'] {
  if (observed_generation < generation) return 'under_way';
  if (outcome === 'failed') return 'failed';
  return outcome === 'applied' ? 'yes' : 'under_way';
}
