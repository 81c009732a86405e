import { findManagerOf } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireStaff } from '../scope.ts';

/** The reseller that manages an account. Null for the admin's own accounts, and for an account that is gone. */
export async function findManager(
  ctx: OperatorContext,
  { account_id }: { account_id: number },
): Promise<{ id: number; username: string } | null> {
  requireStaff(ctx);
  return (await findManagerOf(ctx.db, account_id)) ?? null;
}
