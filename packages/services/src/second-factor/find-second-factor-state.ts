import { findManagedUser } from '@innkeeper/db';
import type { OperatorContext } from '../context.ts';
import { operatorScopeOf } from '../scope.ts';

export interface SecondFactorState {
  /** When the second factor was enabled. */
  since: Date;
  /** When too many wrong codes locked the authenticator. Since then only recovery codes are accepted. */
  locked_at: Date | null;
}

/**
 * The second factor of a user. An admin can read any user's, a reseller those of the end users of its accounts. Null:
 * the password is enough, or there is no such user.
 */
export async function findSecondFactorState(
  ctx: OperatorContext,
  { username }: { username: string },
): Promise<SecondFactorState | null> {
  const user = await findManagedUser(ctx.db, operatorScopeOf(ctx.actor), username);
  if (user === undefined || user.totp_confirmed_at === null) return null;
  return { since: user.totp_confirmed_at, locked_at: user.totp_locked_at };
}
