import type { AccountListItem } from '@innkeeper/contract';
import {
  type AccountChoice,
  type AccountListRow,
  findAccountsByText,
  findChosenAccounts,
} from '@innkeeper/db';
import type { AccountOrder } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { type PageRequest, rowsOf } from '../page.ts';
import { operatorScopeOf } from '../scope.ts';
import { accountListItem } from './account-list-item.ts';

/** A text that finds more must be longer. */
const FOUND_AT_MOST = 100;

export interface AccountSearch extends AccountChoice, PageRequest {
  /** Part of the username, contact name, email address or a domain, in any case. */
  text?: string | undefined;
  /** Maximum number of results of a text, default 100. A small number often saves the read of all names. */
  at_most?: number | undefined;
  /** Oldest first if undefined. Results of a text begin with the names that start with it. */
  order?: AccountOrder | undefined;
}

/**
 * The accounts that the actor sees and that match the filter, one page at a time, without a total. With
 * `text` there is one page of at most `at_most` accounts. `has_more`: other accounts match that are not on this page. Only
 * staff can filter by node or reseller; for a reseller these filters match nothing.
 */
export async function searchAccounts(
  ctx: OperatorContext,
  { text, at_most = FOUND_AT_MOST, order = 'oldest', page, per_page, ...choice }: AccountSearch,
): Promise<{ items: AccountListItem[]; has_more: boolean }> {
  const isAdmins = choice.node_id !== undefined || choice.reseller_user_id !== undefined;
  if (isAdmins && ctx.actor.role === 'reseller') return { items: [], has_more: false };
  const scope = operatorScopeOf(ctx.actor);
  const wanted = text?.trim().toLowerCase() ?? '';
  if (wanted === '') {
    const rows = await findChosenAccounts(ctx.db, scope, choice, {
      ...rowsOf({ page, per_page }),
      order,
      limit: per_page + 1,
    });
    return pageOf(ctx, rows, per_page);
  }
  const search = { text: wanted, limit: at_most + 1 };
  const { rows, isCut } = await findAccountsByText(ctx.db, scope, choice, search);
  const found = pageOf(ctx, rows, at_most);
  return { ...found, has_more: found.has_more || isCut };
}

function pageOf({ actor }: OperatorContext, rows: readonly AccountListRow[], size: number) {
  return {
    items: rows.slice(0, size).map((row) => accountListItem(actor, row)),
    has_more: rows.length > size,
  };
}
