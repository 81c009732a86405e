import { clearSecondFactor } from '@innkeeper/db';
import { audit } from '../audit.ts';
import type { UserContext } from '../panel-context.ts';
import { withOwnCode } from './own-code.ts';

/**
 * Disables the user's second factor and its recovery codes. Requires a code, so that a browser that was left open is
 * not enough. Throws `invalid`.
 */
export async function disableTotp(ctx: UserContext, { code }: { code: string }): Promise<void> {
  const { userId } = ctx.actor;
  await withOwnCode(ctx, code, async (trx, kind) => {
    await clearSecondFactor(trx, userId, ctx.now());
    await audit(trx, ctx, {
      action: 'totp.disable',
      target: `user:${userId}`,
      account_id: null,
      details: { with: kind },
    });
  });
}
