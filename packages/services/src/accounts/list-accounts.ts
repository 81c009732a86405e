import { findAccountPage } from '@innkeeper/db';
import { type AccountState, USERNAME_PATTERN } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { type Page, type PageRequest, rowsOf } from '../page.ts';
import { operatorScopeOf } from '../scope.ts';

export interface AccountListItem {
  id: number;
  username: string;
  email: string;
  status: AccountState;
  package: { id: number; name: string };
  primary_domain: string | null;
  created_at: Date;
  /** For admins. */
  node?: { id: number; name: string };
}

/** The accounts that the actor sees, oldest first; with `username` (any case) at most the one of that name. */
export async function listAccounts(
  ctx: OperatorContext,
  input: PageRequest & { username?: string | undefined },
): Promise<Page<AccountListItem>> {
  const { page, per_page } = input;
  const username = input.username?.toLowerCase();
  // The database does not compare names, which are ASCII, with whatever else was asked for.
  if (username !== undefined && !USERNAME_PATTERN.test(username))
    return { items: [], page, per_page, total: 0 };
  const { rows, total } = await findAccountPage(ctx.db, operatorScopeOf(ctx.actor), {
    username,
    ...rowsOf(input),
  });
  const items = rows.map((row) => ({
    id: row.id,
    username: row.username,
    email: row.email,
    status: row.state,
    package: { id: row.package_id, name: row.package_name },
    primary_domain: row.primary_domain,
    created_at: row.created_at,
    ...(ctx.actor.role === 'admin' ? { node: { id: row.node_id, name: row.node_name } } : {}),
  }));
  return { items, page, per_page, total };
}
