import type { AccountView } from '@innkeeper/contract';
import { type AccountDetails, type Database, getAccountDetails } from '@innkeeper/db';
import { homePath, isStaffRole, limitsOf } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import type { Actor } from '../context.ts';
import { scopeOf } from '../scope.ts';

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
    ...(isStaffRole(actor.role) ? { node: { id: account.node_id, name: account.node_name } } : {}),
  };
}

function isSynced(account: AccountDetails): boolean {
  return account.observed_generation === account.generation && account.outcome === 'applied';
}
