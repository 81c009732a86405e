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
import { audit } from '../audit.ts';
import type { VisitorContext } from '../panel-context.ts';
import type { CountAttempt } from '../sign-in/attempt-limits.ts';
import { readRecoveryCode } from './recovery-codes.ts';

/** Wrong codes of the authenticator, beside the tries of a minute that `signInLimits` has. */
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
  /** See `knownBrowserOf`: its tries count apart, and a lock does not concern it. */
  browser?: string | undefined;
}

/** The code is wrong, or was used. */
export class WrongCode extends DomainError {
  constructor() {
    const sentence = 'The provided two factor authentication code was invalid.';
    super('invalid', sentence, { fields: { code: [sentence] } });
  }
}

/**
 * Runs `work`, which takes the code, while there are tries left: 5 a minute; 20 wrong codes of the authenticator an hour,
 * and 50 a day. After these the second factor is locked: codes of the authenticator are refused until a recovery code
 * is given or an operator unlocks it. Recovery codes, of 80 random bits, are only counted by the minute. Wrong codes are
 * noted for their user. Throws `precondition_failed` where there are none left, and what `countAttempt` and `work` throw.
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

/** A recovery code was given, or an operator helps: there are all tries again. False where nothing was locked. */
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
