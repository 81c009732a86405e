import { deleteBrand, inTransaction, lockBrand } from '@innkeeper/db';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { type AskedBrand, brandScopeOf } from './brand-scope.ts';

/** Removes a brand with its logo: its pages look like the installation's, or like the product. Throws `not_found`. */
export async function removeBrand(ctx: OperatorContext, asked: AskedBrand): Promise<void> {
  const { scope_id, target } = await brandScopeOf(ctx, asked);
  await inTransaction(ctx.db, async (trx) => {
    const before = await lockBrand(trx, scope_id);
    if (before === undefined) return;
    await deleteBrand(trx, scope_id);
    const { scope_id: _, logo_hash: logo, ...brand } = before;
    await audit(trx, ctx, {
      action: 'brand.remove',
      target,
      account_id: null,
      details: { before: { ...brand, logo } },
    });
  });
}
