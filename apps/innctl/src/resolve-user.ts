import { DomainError } from '@innkeeper/domain';
import { findUserId, type OperatorContext } from '@innkeeper/services';

/**
 * Finds the panel user that an operator names: by username (admin, reseller or end user), or by id, also of a removed
 * user.
 */
export async function resolveUser(ctx: OperatorContext, name: string): Promise<number> {
  const id = await findUserId(ctx, { username: name });
  if (id !== undefined) return id;
  if (/^\d{1,15}$/.test(name)) return Number(name);
  throw new DomainError('not_found', `There is no user "${name.slice(0, 50)}".`);
}
