import { findResellers, type ResellerRow } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../scope.ts';

export interface ResellerView extends Omit<ResellerRow, 'account_count'> {
  accounts: number;
}

/** All resellers, ordered by name, with their numbers of accounts. */
export async function listResellers(ctx: OperatorContext): Promise<ResellerView[]> {
  requireAdmin(ctx);
  return (await findResellers(ctx.db)).map(({ account_count, ...reseller }) => ({
    ...reseller,
    accounts: account_count,
  }));
}
