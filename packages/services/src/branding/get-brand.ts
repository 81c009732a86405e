import { findBrand } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { type AskedBrand, brandScopeOf } from './brand-scope.ts';
import type { Brand } from './brands.ts';

export type BrandSettings = Brand;

/** The brand as its owner set it. Null: there is none. Throws `not_found`. */
export async function getBrand(ctx: OperatorContext, asked: AskedBrand): Promise<BrandSettings | null> {
  const row = await findBrand(ctx.db, (await brandScopeOf(ctx, asked)).scope_id);
  if (row === undefined) return null;
  const { scope_id: _, ...settings } = row;
  return settings;
}
