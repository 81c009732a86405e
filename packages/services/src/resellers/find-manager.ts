import { findManagerOf } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { requireAdmin } from '../require-admin.ts';

/** The reseller who manages an account; null for the admin's own, and for an account that is gone. */
export async function findManager(
  ctx: OperatorContext,
  { account_id }: { account_id: number },
): Promise<{ id: number; username: string } | null> {
  requireAdmin(ctx);
  return (await findManagerOf(ctx.db, account_id)) ?? null;
}
