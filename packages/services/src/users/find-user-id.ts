import { findSignInUser } from '@innkeeper/db';
import { USERNAME_PATTERN } from '@innkeeper/domain';
import type { OperatorContext } from '../context.ts';

/** The id of the panel user with this name (any case): admin, reseller or end user. Undefined if there is none. */
export async function findUserId(
  ctx: Pick<OperatorContext, 'db'>,
  input: { username: string },
): Promise<number | undefined> {
  const username = input.username.toLowerCase();
  return USERNAME_PATTERN.test(username) ? (await findSignInUser(ctx.db, { username }))?.id : undefined;
}
