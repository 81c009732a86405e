import { type Database, findSecondFactor, spendRecoveryCode, spendTotpStep } from '@innkeeper/db';
import type { Transaction } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { hashSecret } from '../secrets/random-secrets.ts';
import { freeCodeBudget, WrongCode } from './code-budget.ts';
import { readRecoveryCode } from './recovery-codes.ts';
import { isTotpCode, stepOfCode } from './totp.ts';

export type SecondFactorKind = 'totp' | 'recovery-code';

/**
 * Uses up an authenticator code or a recovery code. Each code is accepted once, also under concurrent requests. A code
 * of a time step before an accepted one is also a replay. Undefined: the code is wrong, was used, or the user has no
 * second factor.
 */
async function spendCode(
  trx: Transaction<Database>,
  { sealer, now }: Pick<ServiceContext, 'sealer' | 'now'>,
  userId: number,
  typed: string,
): Promise<SecondFactorKind | undefined> {
  const factor = await findSecondFactor(trx, userId);
  if (factor === undefined || factor.totp_confirmed_at === null || factor.totp_sealed_secret === null)
    return undefined;
  const digits = typed.replaceAll(/\s/g, '');
  if (isTotpCode(digits)) {
    const secret = sealer.open('totp-secret', factor.totp_sealed_secret);
    const step = stepOfCode(secret, digits, now());
    return step !== undefined && (await spendTotpStep(trx, userId, step)) ? 'totp' : undefined;
  }
  const code = readRecoveryCode(typed);
  const isSpent = code !== undefined && (await spendRecoveryCode(trx, userId, hashSecret(code), now()));
  if (!isSpent) return undefined;
  await freeCodeBudget(trx, userId);
  return 'recovery-code';
}

/** The same as a requirement, inside `withCodeBudget`. Throws WrongCode. */
export async function requireCode(
  trx: Transaction<Database>,
  ctx: Pick<ServiceContext, 'sealer' | 'now'>,
  userId: number,
  typed: string,
): Promise<SecondFactorKind> {
  const kind = await spendCode(trx, ctx, userId, typed);
  if (kind === undefined) throw new WrongCode();
  return kind;
}
