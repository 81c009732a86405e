import { isUsernameTaken } from '@innkeeper/db';
import { isReservedUsername } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';

/** Returns whether an account could get this (well-formed, lowercase) name now. Does not reveal who has it. */
export async function checkUsername(
  ctx: OperatorContext,
  { username }: { username: string },
): Promise<{ username: string; available: boolean }> {
  const available = !isReservedUsername(username) && !(await isUsernameTaken(ctx.db, username));
  return { username, available };
}
