import { inTransaction, lockSecondFactor, storeTotpSecret } from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';
import { makeTotpSecret, totpUri } from './totp.ts';

/**
 * Makes a secret for the user's authenticator, in the place of one that was never confirmed. It counts for
 * nothing before `confirmTotp`. Throws `conflict` while codes are asked for already.
 */
export async function beginTotp(ctx: UserContext): Promise<{ secret: string; uri: string }> {
  const { userId } = ctx.actor;
  return await inTransaction(ctx.db, async (trx) => {
    const factor = await lockSecondFactor(trx, userId);
    if (factor === undefined) throw new DomainError('not_found', `There is no user ${userId}.`);
    if (factor.totp_confirmed_at !== null)
      throw new DomainError('conflict', 'Two factor authentication is enabled already.');
    const secret = makeTotpSecret();
    await storeTotpSecret(trx, userId, ctx.sealer.seal('totp-secret', secret), ctx.now());
    await audit(trx, ctx, { action: 'totp.begin', target: `user:${userId}`, account_id: null });
    return { secret, uri: totpUri(secret, factor.username) };
  });
}
