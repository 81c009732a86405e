import { findTokens, inTransaction, setTokenRevoked } from '@innkeeper/db';
import { DomainError, requireMay } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { tokenOwner } from '../scope.ts';
import { type TokenView, tokenView } from './token-view.ts';

/**
 * Revokes a token. Idempotent. Caches keep copies of it for at most 5 s; the caller's broadcast removes them earlier.
 * Throws DomainError `not_found`, also for another owner's token unless the actor is an admin.
 */
export async function revokeToken(ctx: OperatorContext, input: { token_id: number }): Promise<TokenView> {
  requireMay(ctx.actor.role, 'token.revoke');
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
