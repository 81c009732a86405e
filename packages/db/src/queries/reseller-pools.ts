import { type AllocatedFromPool, pooledLimits } from '@innkeeper/domain';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Database, ResellerPoolsTable } from '../schema/index.ts';

export type ResellerPoolRow = Selectable<ResellerPoolsTable>;

/**
 * Locks a reseller's pool until the transaction ends. Every transaction that changes its pool, or an account that takes
 * from it, first locks the reseller's user. Returns since when it is suspended, and undefined if there is no reseller with this id.
 */
export async function lockReseller(
  trx: Transaction<Database>,
  resellerUserId: number,
): Promise<{ disabled_at: Date | null } | undefined> {
  return await trx
    .selectFrom('users')
    .select('disabled_at')
    .where('id', '=', resellerUserId)
    .where('role', '=', 'reseller')
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** The pool. Undefined if nothing is pooled. */
export async function findPool(
  db: Kysely<Database>,
  resellerUserId: number,
): Promise<ResellerPoolRow | undefined> {
  return db
    .selectFrom('reseller_pools')
    .selectAll()
    .where('reseller_user_id', '=', resellerUserId)
    .executeTakeFirst();
}

export async function storePool(
  trx: Transaction<Database>,
  pool: Insertable<ResellerPoolsTable>,
): Promise<void> {
  const { reseller_user_id: _, ...columns } = pool;
  await trx.insertInto('reseller_pools').values(pool).onDuplicateKeyUpdate(columns).execute();
}

/** One SQL statement over the reseller's accounts. Exact only in a transaction that has called `lockReseller`. */
export async function sumAllocated(db: Kysely<Database>, resellerUserId: number): Promise<AllocatedFromPool> {
  return await sumLimits(db).where('reseller_user_id', '=', resellerUserId).executeTakeFirstOrThrow();
}

/** One account, or all accounts of a reseller. Accounts that are being removed cannot be handed over. */
export type HandedOver = { account_id: number } | { reseller_user_id: number };

/** What the accounts take from the pool of the reseller that gets them. */
export async function sumHandedOver(db: Kysely<Database>, handed: HandedOver): Promise<AllocatedFromPool> {
  return await sumLimits(db).where(isHandedOver(handed)).executeTakeFirstOrThrow();
}

export function isHandedOver(handed: HandedOver) {
  const chosen =
    'account_id' in handed
      ? sql<boolean>`accounts.id = ${handed.account_id}`
      : sql<boolean>`accounts.reseller_user_id = ${handed.reseller_user_id}`;
  return sql<boolean>`(${chosen} and accounts.state <> 'terminating')`;
}

function sumLimits(db: Kysely<Database>) {
  const sums = pooledLimits.map(({ name, poolField }) =>
    sql<number>`coalesce(sum(${sql.ref(name)}), 0)`.as(poolField),
  );
  const unlimited = pooledLimits.flatMap(({ name, unlimitedField }) =>
    unlimitedField === null ? [] : [sql<number>`count(*) - count(${sql.ref(name)})`.as(unlimitedField)],
  );
  return db
    .selectFrom('accounts')
    .select([sql<number>`count(*)`.as('accounts'), ...sums, ...unlimited])
    .$castTo<AllocatedFromPool>();
}
