import { findManagedUser } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';

/**
 * Since when codes are asked of a user: of any for an admin, of the end users of its accounts for a reseller. Null: the
 * password is enough, or there is no such user.
 */
export async function findSecondFactorSince(
  ctx: OperatorContext,
  { username }: { username: string },
): Promise<Date | null> {
  const user = await findManagedUser(ctx.db, operatorScopeOf(ctx.actor), username);
  return user?.totp_confirmed_at ?? null;
}
