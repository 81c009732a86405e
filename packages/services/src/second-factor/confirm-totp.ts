import { inTransaction, lockSecondFactor, storeTotp } from '@innkeeper/db';
import { DomainError, invalidField } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';
import { WrongCode } from './code-budget.ts';
import { storeNewRecoveryCodes } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';
import { openSetUp, type TotpSetUp } from './totp-set-up.ts';

/**
 * Shows that the authenticator has the secret of the set-up: from now on its codes are asked for. Answers ten
 * recovery codes, each good for one sign-in; the database keeps only their hashes. Throws `invalid` for a wrong code
 * and for a set-up that is not this session's or is over, and `conflict` while codes are asked for already.
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
