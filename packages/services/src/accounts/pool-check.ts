import { type Database, findPool, sumAllocated } from '@innkeeper/db';
import { DomainError, type FieldErrors, poolRefusals, type ResourceLimits } from '@innkeeper/domain';
import type { Transaction } from 'kysely';

/**
 * Returns what a reseller's pool refuses of the requested limits of an account, by field. `current`: the present limits
 * of the account; none for a new account. For a new account, throws `quota_exceeded` if the reseller cannot have more
 * accounts. The caller has locked the reseller.
 */
export async function findPoolRefusals(
  trx: Transaction<Database>,
  resellerUserId: number,
  wanted: ResourceLimits,
  current?: ResourceLimits,
): Promise<FieldErrors> {
  const pool = await findPool(trx, resellerUserId);
  if (pool === undefined) return {};
  const allocated = await sumAllocated(trx, resellerUserId);
  if (current === undefined && pool.max_accounts !== null && allocated.accounts >= pool.max_accounts)
    throw new DomainError('quota_exceeded', `Account limit reached (${pool.max_accounts}).`);
  return poolRefusals({ ...pool, overselling: pool.overselling === 1 }, allocated, wanted, current);
}
