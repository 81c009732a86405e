import { findLiveTokens, findNewestTokenId } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { type Page, type PageRequest, rowsOf } from '../page.ts';
import { tokenOwner } from '../scope.ts';
import { type TokenView, tokenView } from './token-view.ts';

/** A page of tokens, newest first. */
export interface TokenPage extends Page<TokenView> {
  /** Newest id of all tokens that the actor sees, including revoked ones, for `createToken`. */
  newest_id: number;
}

/** The tokens that are not revoked. An admin sees all tokens, a reseller its own. */
export async function listLiveTokens(ctx: OperatorContext, request: PageRequest): Promise<TokenPage> {
  const user_id = tokenOwner(ctx.actor);
  const [{ rows, total }, newest_id] = await Promise.all([
    findLiveTokens(ctx.db, { user_id, ...rowsOf(request) }),
    findNewestTokenId(ctx.db, { user_id }),
  ]);
  return { ...request, items: rows.map(tokenView), total, newest_id };
}
