import { inTransaction, lockSecondFactor, storeTotp } from '@innkeeper/db';
import { DomainError, invalidField } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';
import { WrongCode } from './code-budget.ts';
import { storeNewRecoveryCodes } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';
import { openSetUp, type TotpSetUp } from './totp-set-up.ts';

/**
 * Verifies that the authenticator app has the secret of the set-up and enables the second factor. Returns ten recovery
 * codes, each valid for one sign-in; the database stores only their hashes. Throws `invalid` for a wrong code and for a
 * set-up that has expired or belongs to another session, and `conflict` if the second factor is already enabled.
 */
export async function confirmTotp(
  ctx: UserContext,
  { set_up, code }: { set_up: TotpSetUp; code: string },
): Promise<{ recovery_codes: string[] }> {
  const { userId } = ctx.actor;
  return await inTransaction(ctx.db, async (trx) => {
    const factor = await lockSecondFactor(trx, userId);
    if (factor === undefined) throw new DomainError('not_found', `There is no user ${userId}.`);
    if (factor.totp_confirmed_at !== null)
      throw new DomainError('conflict', 'Two-factor authentication is enabled already.');
    const now = ctx.now();
    const secret = openSetUp(ctx, set_up);
    if (secret === undefined)
      throw invalidField('code', 'This set-up is out of date. Scan the code that is shown now.');
    const step = stepOfCode(secret, code.replaceAll(/\s/g, ''), now);
    if (step === undefined) throw new WrongCode();
    await storeTotp(trx, userId, { sealedSecret: ctx.sealer.seal('totp-secret', secret), step, now });
    const recovery_codes = await storeNewRecoveryCodes(trx, userId, now);
    await audit(trx, ctx, { action: 'totp.confirm', target: `user:${userId}`, account_id: null });
    return { recovery_codes };
  });
}
