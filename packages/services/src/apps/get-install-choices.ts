import { findDomainsWithoutApp, findNodeVersions, getAccountDetails } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/** Choices for a new app of an account, in addition to its template. */
export interface InstallChoices {
  /** The account's own domains that are not the site of an app, by name. At most 500. */
  domains: { id: number; domain_name: string }[];
  /** Major versions of Node.js on the account’s server. Empty if the server has not reported them. */
  node_versions: string[];
}

/** Maximum number of domains in a list of choices. */
const MOST_DOMAINS = 500;

/** Throws `not_found`. */
export async function getInstallChoices(
  ctx: ServiceContext,
  { account_id }: { account_id: number },
): Promise<InstallChoices> {
  const { node_id } = await getAccountDetails(ctx.db, scopeOf(ctx.actor), account_id);
  const [domains, versions] = await Promise.all([
    findDomainsWithoutApp(ctx.db, account_id, MOST_DOMAINS),
    findNodeVersions(ctx.db, node_id),
  ]);
  return { domains, node_versions: JSON.parse(versions ?? '[]') };
}
