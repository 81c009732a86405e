import { inTransaction } from '@innkeeper/db';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';
import { storeNewRecoveryCodes } from './recovery-codes.ts';
import { requireCode } from './spend-code.ts';

/** Ten new recovery codes in the place of those that there were, for a code. Throws `invalid`. */
export async function renewRecoveryCodes(
  ctx: UserContext,
  { code }: { code: string },
): Promise<{ recovery_codes: string[] }> {
  const { userId } = ctx.actor;
  await ctx.countAttempt('second-factor', String(userId));
  return await inTransaction(ctx.db, async (trx) => {
    const kind = await requireCode(trx, ctx, userId, code);
    const recovery_codes = await storeNewRecoveryCodes(trx, userId, ctx.now());
    await audit(trx, ctx, {
      action: 'recovery-codes.renew',
      target: `user:${userId}`,
      account_id: null,
      details: { with: kind },
    });
    return { recovery_codes };
  });
}
