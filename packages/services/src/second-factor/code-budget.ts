import {
  addToWindow,
  clearWindows,
  type Database,
  findSecondFactor,
  findWindow,
  inTransaction,
  lockTotp,
  noteSignInFailure,
  unlockTotp,
} from '@innkeeper/db';
import { DomainError } from '@innkeeper/domain';
import type { Transaction } from 'kysely';
import type { CountAttempt } from '../attempt-limits.ts';
import { audit } from '../audit.ts';
import type { VisitorContext } from '../panel-context.ts';
import { readRecoveryCode } from './recovery-codes.ts';

/** Limits for wrong authenticator codes, in addition to the limits per minute of `signInLimits`. */
const WRONG_AN_HOUR = 20;
const WRONG_A_DAY = 50;
const HOUR_S = 3_600;
const DAY_S = 86_400;

type Context = Pick<VisitorContext, 'db' | 'now' | 'requestId'> & {
  address: string;
  countAttempt: CountAttempt;
};

export interface CodeTry {
  user: { id: number; username: string };
  typed: string;
  /** See `knownBrowserOf`: its attempts are counted separately, and a lock does not affect it. */
  browser?: string | undefined;
}

/** The code is wrong, or was used before. */
export class WrongCode extends DomainError {
  constructor() {
    const sentence = 'The provided two factor authentication code was invalid.';
    super('invalid', sentence, { fields: { code: [sentence] } });
  }
}

/**
 * Runs `work`, which verifies and uses up the code, if attempts are left: 5 per minute, and 20 wrong authenticator
 * codes per hour and 50 per day. After that the second factor is locked: authenticator codes are refused until the user
 * enters a recovery code or an operator unlocks it. Recovery codes have 80 random bits, so only the limit per minute
 * applies to them. Wrong codes are recorded for their user. Throws `precondition_failed` if no attempts are left, and
 * the errors of `countAttempt` and `work`.
 */
export async function withCodeBudget<T>(ctx: Context, tried: CodeTry, work: () => Promise<T>): Promise<T> {
  const { user, typed, browser } = tried;
  const isRecoveryCode = readRecoveryCode(typed) !== undefined;
  if (browser !== undefined) await ctx.countAttempt('sign-in-browser', { name: browser });
  else if (isRecoveryCode)
    await ctx.countAttempt('recovery-code', { name: String(user.id), address: ctx.address });
  else await ctx.countAttempt('second-factor', { name: String(user.id) });
  if (!isRecoveryCode) await requireTriesLeft(ctx, tried);
  try {
    return await work();
  } catch (error) {
    if (error instanceof WrongCode) {
      const failure = {
        username: user.username,
        kind: 'code',
        address: ctx.address,
        now: ctx.now(),
      } as const;
      await noteSignInFailure(ctx.db, failure);
      if (!isRecoveryCode) await countWrongCode(ctx, tried);
    }
    throw error;
  }
}

/** Resets all attempts after a recovery code or an operator's unlock. Returns false if nothing was locked. */
export async function freeCodeBudget(trx: Transaction<Database>, userId: number): Promise<boolean> {
  await clearWindows(trx, [hourBucket({ id: userId }), dayBucket({ id: userId })]);
  return await unlockTotp(trx, userId);
}

async function requireTriesLeft({ db }: Context, { user, browser }: CodeTry): Promise<void> {
  const factor = browser === undefined ? await findSecondFactor(db, user.id) : undefined;
  if ((factor?.totp_locked_at ?? null) !== null)
    throw new DomainError(
      'precondition_failed',
      'Too many wrong codes were given. Use a recovery code, or ask an administrator to unlock the second factor.',
    );
  const budgets = [
    [await findWindow(db, hourBucket(user, browser)), WRONG_AN_HOUR],
    [await findWindow(db, dayBucket(user, browser)), WRONG_A_DAY],
  ] as const;
  for (const [window, limit] of budgets)
    if (window !== undefined && window.hits >= limit)
      throw new DomainError(
        'precondition_failed',
        `Too many wrong codes were given. Use a recovery code, or try again in ${Math.ceil(window.secondsLeft / 60)} minutes.`,
      );
}

async function countWrongCode(ctx: Context, { user, browser }: CodeTry): Promise<void> {
  await addToWindow(ctx.db, { bucket: hourBucket(user, browser), windowS: HOUR_S });
  const { hits } = await addToWindow(ctx.db, { bucket: dayBucket(user, browser), windowS: DAY_S });
  if (hits < WRONG_A_DAY || browser !== undefined) return;
  await inTransaction(ctx.db, async (trx) => {
    if (!(await lockTotp(trx, user.id, ctx.now()))) return;
    const source = { ...ctx, actor: { userId: null, tokenId: null, address: ctx.address } };
    const details = { username: user.username, wrong_codes: hits };
    await audit(trx, source, { action: 'totp.lock', target: `user:${user.id}`, account_id: null, details });
  });
}

function hourBucket({ id }: { id: number }, browser?: string): string {
  return `wrong-codes-hour:${browser ?? id}`;
}

function dayBucket({ id }: { id: number }, browser?: string): string {
  return `wrong-codes-day:${browser ?? id}`;
}
