import { findTokens } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { tokenOwner } from '../scope.ts';
import { type TokenView, tokenView } from './token-view.ts';

/** All tokens, oldest first, including revoked ones. An admin sees all tokens, a reseller its own. */
export async function listTokens(ctx: OperatorContext): Promise<TokenView[]> {
  return (await findTokens(ctx.db, { user_id: tokenOwner(ctx.actor) })).map(tokenView);
}
