import { findManagedUser } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';

export interface SecondFactorState {
  /** Codes are asked for since then. */
  since: Date;
  /** Too many wrong codes were given: since then only recovery codes are taken. */
  locked_at: Date | null;
}

/**
 * The second factor of a user: of any for an admin, of the end users of its accounts for a reseller. Null: the password
 * is enough, or there is no such user.
 */
export async function findSecondFactorState(
  ctx: OperatorContext,
  { username }: { username: string },
): Promise<SecondFactorState | null> {
  const user = await findManagedUser(ctx.db, operatorScopeOf(ctx.actor), username);
  if (user === undefined || user.totp_confirmed_at === null) return null;
  return { since: user.totp_confirmed_at, locked_at: user.totp_locked_at };
}
