import { findFormerAccount as findNewest } from '@innkeeper/db';
import { USERNAME_PATTERN } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';
import { requireStaff } from '../scope.ts';

/**
 * The newest removed account that had this name (any case), for the filters of the audit log. Undefined if there is none.
 * `user_id` is null if it is not known. Throws `forbidden` for a reseller, which sees no entries of removed accounts.
 */
export async function findFormerAccount(
  ctx: OperatorContext,
  input: { username: string },
): Promise<{ id: number; user_id: number | null } | undefined> {
  requireStaff(ctx);
  const username = input.username.toLowerCase();
  if (!USERNAME_PATTERN.test(username)) return undefined;
  const former = await findNewest(ctx.db, username);
  return former === undefined ? undefined : { id: former.id, user_id: former.user_id || null };
}
