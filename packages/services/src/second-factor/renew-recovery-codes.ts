import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';
import { withOwnCode } from './own-code.ts';
import { storeNewRecoveryCodes } from './recovery-codes.ts';

/** Replaces the recovery codes with ten new ones. Requires a code. Throws `invalid`. */
export async function renewRecoveryCodes(
  ctx: UserContext,
  { code }: { code: string },
): Promise<{ recovery_codes: string[] }> {
  const { userId } = ctx.actor;
  return await withOwnCode(ctx, code, async (trx, kind) => {
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
