import { type AccountDetails, type Database, getAccountDetails } from '@innkeeper/db';
import { type AccountLimits, type AccountState, type AppStatus, homePath, limitsOf } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { Actor } from '../context.ts';
import { scopeOf } from '../scope.ts';
import type { UsageView } from '../usage/usage-view.ts';

export interface AccountView extends AccountLimits {
  id: number;
  username: string;
  name: string;
  email: string;
  status: AccountState;
  package: { id: number; name: string; disk_mb: number };
  package_id: number;
  linux_user: string;
  home_path: string;
  terminal_access: boolean;
  domains: { id: number; domain_name: string; is_primary: boolean }[];
  apps_count: number;
  apps_limit: number;
  /** Whether the node has applied the newest generation. */
  synced: boolean;
  created_at: Date;
  updated_at: Date;
  /** Only for admins. */
  node?: { id: number; name: string };
  /** Only if requested. At most 10. */
  apps?: AppSummary[];
  /** Only if requested. */
  usage?: UsageView;
}

export interface AppSummary {
  id: number;
  name: string;
  template_key: string;
  template_name: string;
  status: AppStatus;
}

/** The account as the actor sees it. Throws `not_found` outside the actor's scope. */
export async function loadAccountView(
  db: Kysely<Database>,
  actor: Actor,
  accountId: number,
): Promise<AccountView> {
  const account = await getAccountDetails(db, scopeOf(actor), accountId);
  return {
    id: account.id,
    username: account.username,
    name: account.name,
    email: account.email,
    status: account.state,
    package: { id: account.package_id, name: account.package_name, disk_mb: account.package_disk_mb },
    package_id: account.package_id,
    linux_user: account.linux_user,
    home_path: homePath(account.linux_user),
    ...limitsOf(account),
    terminal_access: account.terminal_access === 1,
    domains: account.domains.map(({ id, domain_name, is_primary }) => ({
      id,
      domain_name,
      is_primary: is_primary === 1,
    })),
    apps_count: account.apps_count,
    apps_limit: account.max_apps,
    synced: isSynced(account),
    created_at: account.created_at,
    updated_at: account.updated_at,
    ...(actor.role === 'admin' ? { node: { id: account.node_id, name: account.node_name } } : {}),
  };
}

function isSynced(account: AccountDetails): boolean {
  return account.observed_generation === account.generation && account.outcome === 'applied';
}
