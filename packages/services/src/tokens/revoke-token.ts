import { findTokens, inTransaction, setTokenRevoked } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { tokenOwner } from './token-owner.ts';
import { type TokenView, tokenView } from './token-view.ts';

/**
 * Ends a token; one that is revoked stays so. Copies of it live in caches for 5 s at most, and no longer
 * than the caller's broadcast takes. Throws DomainError `not_found`, for another owner's token too unless
 * an admin asks.
 */
export async function revokeToken(ctx: OperatorContext, input: { token_id: number }): Promise<TokenView> {
  const own = tokenOwner(ctx.actor);
  return inTransaction(ctx.db, async (trx) => {
    const find = async () => (await findTokens(trx, { id: input.token_id, user_id: own }))[0];
    const before = await find();
    if (before === undefined) throw new DomainError('not_found', `There is no token ${input.token_id}.`);
    const revoked_at = ctx.now();
    if (await setTokenRevoked(trx, input.token_id, revoked_at))
      await audit(trx, ctx, {
        action: 'token.revoke',
        target: `token:${input.token_id}`,
        account_id: null,
        details: {
          user: before.username,
          name: before.name,
          before: { revoked_at: null },
          after: { revoked_at },
        },
      });
    return tokenView((await find()) ?? before);
  });
}
