import { isUsernameTaken } from '@innkeeper/db';
import { isReservedUsername } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';

/** Whether an account could have this (well-formed, lowercase) name now. Says nothing of who has it. */
export async function checkUsername(
  ctx: OperatorContext,
  { username }: { username: string },
): Promise<{ username: string; available: boolean }> {
  const available = !isReservedUsername(username) && !(await isUsernameTaken(ctx.db, username));
  return { username, available };
}
