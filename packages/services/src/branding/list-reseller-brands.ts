import { findBrands, findResellers } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireStaff } from '../scope.ts';

/** All resellers with the names of their brands, for admins. */
export async function listResellerBrands(
  ctx: OperatorContext,
): Promise<{ username: string; brand: string | null; host: string | null }[]> {
  requireStaff(ctx);
  const [resellers, brands] = await Promise.all([findResellers(ctx.db), findBrands(ctx.db)]);
  const byScope = new Map(brands.map((brand) => [brand.scope_id, brand]));
  return resellers.map(({ id, username }) => {
    const brand = byScope.get(id);
    return { username, brand: brand?.name ?? null, host: brand?.host ?? null };
  });
}
