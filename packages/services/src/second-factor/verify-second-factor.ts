import { inTransaction } from '@innkeeper/db';
import type { UserContext } from '../panel-context.ts';
import { type SecondFactorKind, spendCode, wrongCode } from './spend-code.ts';

/** Takes a code of a user who is signed in, before something that is worth asking for one. Throws `invalid`. */
export async function verifySecondFactor(
  ctx: UserContext,
  { code }: { code: string },
): Promise<SecondFactorKind> {
  const kind = await inTransaction(ctx.db, (trx) => spendCode(trx, ctx, ctx.actor.userId, code));
  if (kind === undefined) throw wrongCode();
  return kind;
}
