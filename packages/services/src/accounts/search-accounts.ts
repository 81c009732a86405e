import type { AccountListItem } from '@innkeeper/contract';
import { type AccountChoice, findAccountsByPrefix, findChosenAccounts } from '@innkeeper/db';
import type { AccountOrder } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { type PageRequest, rowsOf } from '../page.ts';
import { operatorScopeOf } from '../scope.ts';
import { accountListItem } from './account-list-item.ts';

/** Maximum number of results for a text. A text that finds more must be longer. */
const FOUND_AT_MOST = 100;

export interface AccountSearch extends AccountChoice, PageRequest {
  /** Prefix of the username, the email address or a domain of the account, in any case. */
  text?: string | undefined;
  /** Oldest first if undefined. Results of a text are always oldest first. */
  order?: AccountOrder | undefined;
}

/**
 * The accounts that the actor sees and that match the filter, one page at a time, without a total. With
 * `text` there is one page of at most 100 accounts. `has_more`: other accounts match that are not on this page. Only
 * staff can filter by node or reseller; for a reseller these filters match nothing.
 */
export async function searchAccounts(
  ctx: OperatorContext,
  { text, order = 'oldest', page, per_page, ...choice }: AccountSearch,
): Promise<{ items: AccountListItem[]; has_more: boolean }> {
  const isAdmins = choice.node_id !== undefined || choice.reseller_user_id !== undefined;
  if (isAdmins && ctx.actor.role === 'reseller') return { items: [], has_more: false };
  const scope = operatorScopeOf(ctx.actor);
  const prefix = text?.trim().toLowerCase() ?? '';
  const size = prefix === '' ? per_page : FOUND_AT_MOST;
  const rows =
    prefix === ''
      ? await findChosenAccounts(ctx.db, scope, choice, {
          ...rowsOf({ page, per_page }),
          order,
          limit: size + 1,
        })
      : await findAccountsByPrefix(ctx.db, scope, choice, { text: prefix, limit: size + 1 });
  return {
    items: rows.slice(0, size).map((row) => accountListItem(ctx.actor, row)),
    has_more: rows.length > size,
  };
}
