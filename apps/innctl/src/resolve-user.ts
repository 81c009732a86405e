import { DomainError } from '@innkeeper/domain';
import type { OperatorContext } from '@innkeeper/services';

/** The panel user that an operator names: admin, reseller or end user; or an id, of one that is gone. */
export async function resolveUser(ctx: OperatorContext, name: string): Promise<number> {
  const user = await ctx.db
    .selectFrom('usernames')
    .select('user_id')
    .where('username', '=', name.toLowerCase())
    .executeTakeFirst();
  if (user !== undefined) return user.user_id;
  if (/^\d{1,15}$/.test(name)) return Number(name);
  throw new DomainError('not_found', `There is no user "${name.slice(0, 50)}".`);
}
