import { findResellers, type ResellerRow } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireStaff } from '../scope.ts';

export interface ResellerView extends Omit<ResellerRow, 'account_count'> {
  accounts: number;
}

/** All resellers, ordered by name, with their numbers of accounts. */
export async function listResellers(ctx: OperatorContext): Promise<ResellerView[]> {
  requireStaff(ctx);
  return (await findResellers(ctx.db)).map(({ account_count, ...reseller }) => ({
    ...reseller,
    accounts: account_count,
  }));
}
