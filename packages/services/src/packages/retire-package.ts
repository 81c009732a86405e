import type { PackageView } from '@innkeeper/contract';
import { inTransaction, storePackage } from '@innkeeper/db';
import { audit } from '../audit.ts';
import type { OperatorContext } from '../context.ts';
import { lockOwnPackage } from './package-owner.ts';
import { packageView } from './package-view.ts';

/**
 * Retires a package, or offers it again. A retired package is in no list for sale and refused for accounts that do not
 * have it; those that have it keep it. Idempotent. Throws `not_found`, also for another's package.
 */
export async function retirePackage(
  ctx: OperatorContext,
  { package_id, is_active }: { package_id: number; is_active: boolean },
): Promise<PackageView> {
  return await inTransaction(ctx.db, async (trx) => {
    const row = await lockOwnPackage(trx, ctx, package_id);
    if ((row.is_active === 1) === is_active) return packageView(row);
    await storePackage(trx, row.id, { is_active, updated_at: ctx.now() });
    await audit(trx, ctx, {
      action: is_active ? 'package.offer' : 'package.retire',
      target: `package:${row.id}`,
      account_id: null,
      details: { name: row.name, before: { is_active: !is_active }, after: { is_active } },
    });
    return packageView({ ...row, is_active: Number(is_active) });
  });
}
