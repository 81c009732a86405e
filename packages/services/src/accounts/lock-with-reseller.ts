import {
  type AccountRow,
  type Database,
  getManagingReseller,
  lockAccount,
  lockReseller,
} from '@innkeeper/db';
import type { Transaction } from 'kysely';
import type { OperatorContext } from '../context.ts';
import { scopeOf } from '../scope.ts';

/**
 * Locks the reseller who manages the account, then the account: the order of everything that takes from a
 * pool. An account never changes its reseller, so the reseller may be read before it is locked. Throws
 * `not_found`.
 */
export async function lockAccountWithReseller(
  trx: Transaction<Database>,
  ctx: OperatorContext,
  accountId: number,
): Promise<AccountRow> {
  const scope = scopeOf(ctx.actor);
  const reseller = await getManagingReseller(trx, scope, accountId);
  if (reseller !== null) await lockReseller(trx, reseller);
  return await lockAccount(trx, scope, accountId);
}
