import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';
import { countsByScope } from './record-counts.ts';

export interface ResellerRow {
  id: number;
  username: string;
  name: string;
  email: string;
  created_at: Date;
  /** Since when it is suspended. */
  disabled_at: Date | null;
  account_count: number;
  /** Null: no maximum. */
  max_accounts: number | null;
}

/**
 * All resellers, ordered by name. One SQL statement that reads no account. Finds staff by the table of staff email
 * addresses, not by reading all end users.
 */
export async function findResellers(db: Kysely<Database>): Promise<ResellerRow[]> {
  return await db
    .selectFrom('staff_emails')
    .innerJoin('users', 'users.id', 'staff_emails.user_id')
    .leftJoin('reseller_pools', 'reseller_pools.reseller_user_id', 'users.id')
    .leftJoin(countsByScope(db, 'accounts').as('counts'), 'counts.scope_id', 'users.id')
    .select([
      'users.id',
      'users.username',
      'users.name',
      'users.email',
      'users.created_at',
      'users.disabled_at',
    ])
    .select((eb) => [
      eb.fn.coalesce('counts.accounts', eb.lit(0)).as('account_count'),
      'reseller_pools.max_accounts',
    ])
    .where('users.role', '=', 'reseller')
    .orderBy('users.username')
    .execute();
}

/** The reseller that manages an account. Undefined if the admin manages it. */
export async function findManagerOf(
  db: Kysely<Database>,
  accountId: number,
): Promise<{ id: number; username: string } | undefined> {
  return await db
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.reseller_user_id')
    .select(['users.id', 'users.username'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

/** Suspends a reseller, or ends that. The caller has locked it. */
export async function storeResellerSuspension(
  trx: Transaction<Database>,
  resellerUserId: number,
  change: { disabled_at: Date | null; updated_at: Date },
): Promise<void> {
  await trx.updateTable('users').set(change).where('id', '=', resellerUserId).execute();
}
