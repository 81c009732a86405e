import { DomainError } from '@innkeeper/domain';
import { listAccounts, type OperatorContext } from '@innkeeper/services';

/** Finds the account that an operator names: by username, or by id if no username has the same digits. */
export async function resolveAccount(ctx: OperatorContext, name: string): Promise<number> {
  const { items } = await listAccounts(ctx, { username: name, page: 1, per_page: 1 });
  if (items[0] !== undefined) return items[0].id;
  if (/^\d{1,15}$/.test(name)) return Number(name);
  throw new DomainError('not_found', `There is no account "${name.slice(0, 50)}".`);
}
