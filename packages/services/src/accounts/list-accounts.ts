import type { AccountListItem } from '@innkeeper/contract';
import { findAccountPage } from '@innkeeper/db';
import { USERNAME_PATTERN } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { type Page, type PageRequest, rowsOf } from '../page.ts';
import { operatorScopeOf } from '../scope.ts';
import { accountListItem } from './account-list-item.ts';

/** The accounts that the actor sees, oldest first. With `username` (any case) at most the account with that name. */
export async function listAccounts(
  ctx: OperatorContext,
  input: PageRequest & { username?: string | undefined },
): Promise<Page<AccountListItem>> {
  const { page, per_page } = input;
  const username = input.username?.toLowerCase();
  // Names are ASCII. The database never compares them with text that cannot be a name.
  if (username !== undefined && !USERNAME_PATTERN.test(username))
    return { items: [], page, per_page, total: 0 };
  const { rows, total } = await findAccountPage(ctx.db, operatorScopeOf(ctx.actor), {
    username,
    ...rowsOf(input),
  });
  return { items: rows.map((row) => accountListItem(ctx.actor, row)), page, per_page, total };
}
