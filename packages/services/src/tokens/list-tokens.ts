import { findTokens } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { type TokenView, tokenView } from './token-view.ts';

/** Tokens, oldest first, revoked ones included: an admin sees everybody's, a reseller its own. */
export async function listTokens(ctx: OperatorContext): Promise<TokenView[]> {
  const own = ctx.actor.role === 'admin' ? undefined : (ctx.actor.userId ?? 0);
  return (await findTokens(ctx.db, { user_id: own })).map(tokenView);
}
