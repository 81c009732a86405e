import type { AccountListItem } from '@innkeeper/contract';
import { findChosenAccountsAfter } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';
import { accountListItem } from './account-list-item.ts';
import { type AccountSearch, searchAccounts } from './search-accounts.ts';

/**
 * All accounts that `searchAccounts` finds on all of its pages, oldest first, in parts of up to `perStatement`. Each part is one
 * SQL statement without a transaction, so an account that is created or removed meanwhile may be there or not.
 */
export async function* exportAccounts(
  ctx: OperatorContext,
  search: Omit<AccountSearch, 'order' | 'page' | 'per_page'>,
  perStatement = 1_000,
): AsyncGenerator<AccountListItem[]> {
  const { text, ...choice } = search;
  const first = await searchAccounts(ctx, { ...search, order: 'oldest', page: 1, per_page: perStatement });
  yield first.items;
  // A text finds one page only.
  if ((text ?? '').trim() !== '') return;
  for (let { items, has_more } = first; has_more; ) {
    const rows = await findChosenAccountsAfter(ctx.db, operatorScopeOf(ctx.actor), choice, {
      afterId: items.at(-1)!.id,
      limit: perStatement,
    });
    items = rows.map((row) => accountListItem(ctx.actor, row));
    has_more = rows.length === perStatement;
    if (items.length > 0) yield items;
  }
}
