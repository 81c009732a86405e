import {
  inTransaction,
  lockSecondFactor,
  replaceRecoveryCodes,
  setTotpConfirmed,
  spendTotpStep,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';
import { hashSecret } from '../secret-hash.ts';
import { makeRecoveryCodes, readRecoveryCode } from './recovery-codes.ts';
import { wrongCode } from './spend-code.ts';
import { stepOfCode } from './totp.ts';

/**
 * Shows that the authenticator has the secret: from now on its codes are asked for. Answers ten recovery
 * codes, each good for one sign-in; the database keeps only their hashes. Throws `invalid` for a wrong code,
 * and `conflict` where nothing was begun.
 */
export async function confirmTotp(
  ctx: UserContext,
  { code }: { code: string },
): Promise<{ recovery_codes: string[] }> {
  const { userId } = ctx.actor;
  return await inTransaction(ctx.db, async (trx) => {
    const factor = await lockSecondFactor(trx, userId);
    if (factor === undefined || factor.totp_sealed_secret === null || factor.totp_confirmed_at !== null)
      throw new DomainError('conflict', 'There is no two factor authentication to confirm.');
    const now = ctx.now();
    const secret = ctx.sealer.open('totp-secret', factor.totp_sealed_secret);
    const step = stepOfCode(secret, code.replaceAll(/\s/g, ''), now);
    if (step === undefined || !(await spendTotpStep(trx, userId, step))) throw wrongCode();
    await setTotpConfirmed(trx, userId, now);
    const recovery_codes = makeRecoveryCodes();
    const hashes = recovery_codes.map((shown) => hashSecret(readRecoveryCode(shown) ?? ''));
    await replaceRecoveryCodes(trx, userId, hashes, now);
    await audit(trx, ctx, { action: 'totp.confirm', target: `user:${userId}`, account_id: null });
    return { recovery_codes };
  });
}
