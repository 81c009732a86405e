import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';
import { countsByScope, deleteCounts } from './record-counts.ts';
import { type HandedOver, isHandedOver } from './reseller-pools.ts';

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

/** A package of accounts that another reseller, or the admin, gets. */
export interface HandedPackage {
  id: number;
  name: string;
  /** Null: the admin. */
  owner_user_id: number | null;
  is_internal: number;
  /** How many of the accounts have it. */
  accounts: number;
  /** Whether the reseller that gets them may sell it. */
  is_assigned: number;
}

/** The packages of accounts that are handed over, ordered by name. `to`: the reseller that gets them. */
export async function findHandedPackages(
  db: Kysely<Database>,
  handed: HandedOver,
  to: number | null,
): Promise<HandedPackage[]> {
  const assigned = sql<number>`exists (select 1 from reseller_packages where reseller_packages.package_id = packages.id and reseller_packages.reseller_user_id = ${to})`;
  return await db
    .selectFrom('accounts')
    .innerJoin('packages', 'packages.id', 'accounts.package_id')
    .select(['packages.id', 'packages.name', 'packages.owner_user_id', 'packages.is_internal'])
    .select((eb) => [eb.fn.countAll<number>().as('accounts'), assigned.as('is_assigned')])
    .where(isHandedOver(handed))
    .groupBy(['packages.id', 'packages.name', 'packages.owner_user_id', 'packages.is_internal'])
    .orderBy('packages.name')
    .orderBy('packages.id')
    .execute();
}

/** How many of the accounts are suspended together with their reseller. */
export async function countSuspendedWithReseller(db: Kysely<Database>, handed: HandedOver): Promise<number> {
  const { n } = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where(isHandedOver(handed))
    .where('suspended_with_reseller', '=', 1)
    .executeTakeFirstOrThrow();
  return n;
}

/** What a reseller leaves behind. Exact only in a transaction that has called `lockReseller`. */
export interface Estate {
  accounts: number;
  /** Those of them that are being removed. */
  terminating: number;
  has_brand: boolean;
  packages: { id: number; name: string; slug: string; accounts: number }[];
}

export async function findEstate(db: Kysely<Database>, resellerUserId: number): Promise<Estate> {
  const counted = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('accounts'))
    .select(sql<number>`count(case when state = 'terminating' then 1 end)`.as('terminating'))
    .where('reseller_user_id', '=', resellerUserId)
    .executeTakeFirstOrThrow();
  const brand = await db
    .selectFrom('brands')
    .select('scope_id')
    .where('scope_id', '=', resellerUserId)
    .executeTakeFirst();
  const packages = await db
    .selectFrom('packages')
    .select(['packages.id', 'packages.name', 'packages.slug'])
    .select((eb) =>
      eb
        .selectFrom('accounts')
        .select((count) => count.fn.countAll<number>().as('n'))
        .whereRef('accounts.package_id', '=', 'packages.id')
        .as('accounts'),
    )
    .where('owner_user_id', '=', resellerUserId)
    .orderBy('packages.name')
    .execute();
  return {
    ...counted,
    has_brand: brand !== undefined,
    packages: packages.map(({ accounts, ...one }) => ({ ...one, accounts: accounts ?? 0 })),
  };
}

/** Whether the owner (null: the admin) has a package with this short name. */
export async function isSlugTaken(
  trx: Transaction<Database>,
  ownerUserId: number | null,
  slug: string,
): Promise<boolean> {
  const found = await trx
    .selectFrom('packages')
    .select('id')
    .where('owner_key', '=', ownerUserId ?? 0)
    .where('slug', '=', slug)
    .executeTakeFirst();
  return found !== undefined;
}

/** Deletes the pool, the brand and the counts of a reseller, and what it may sell. The caller has locked it. */
export async function deleteResellerRows(trx: Transaction<Database>, resellerUserId: number): Promise<void> {
  await trx.deleteFrom('reseller_packages').where('reseller_user_id', '=', resellerUserId).execute();
  await trx.deleteFrom('reseller_pools').where('reseller_user_id', '=', resellerUserId).execute();
  await trx.deleteFrom('brands').where('scope_id', '=', resellerUserId).execute();
  await deleteCounts(trx, 'accounts', resellerUserId);
}
