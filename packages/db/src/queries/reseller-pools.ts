import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Database, ResellerPoolsTable } from '../schema/index.ts';

export type ResellerPoolRow = Selectable<ResellerPoolsTable>;

/** What a reseller's accounts hold in all, terminating ones included. */
export interface AllocatedFromPool {
  accounts: number;
  disk_mb: number;
  bandwidth_mb: number;
  cpu_percent: number;
  ram_mb: number;
  io_read_mbps: number;
  io_write_mbps: number;
  iops: number;
  max_processes: number;
  /** Accounts without a limit: no pool can hold them. */
  unlimited_io_read: number;
  unlimited_io_write: number;
  unlimited_iops: number;
  unlimited_processes: number;
}

/**
 * Holds what a reseller hands out still until the transaction ends: whoever changes its pool, or an account
 * that takes from it, locks its user first. False when there is no reseller with this id.
 */
export async function lockReseller(trx: Transaction<Database>, resellerUserId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', resellerUserId)
    .where('role', '=', 'reseller')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** The pool, or undefined where nothing is pooled. */
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

/** One statement over the reseller's accounts. Exact only in a transaction that holds `lockReseller`. */
export async function sumAllocated(db: Kysely<Database>, resellerUserId: number): Promise<AllocatedFromPool> {
  return db
    .selectFrom('accounts')
    .select([
      sql<number>`count(*)`.as('accounts'),
      sql<number>`coalesce(sum(disk_limit_mb), 0)`.as('disk_mb'),
      sql<number>`coalesce(sum(bandwidth_limit_mb), 0)`.as('bandwidth_mb'),
      sql<number>`coalesce(sum(cpu_limit_percent), 0)`.as('cpu_percent'),
      sql<number>`coalesce(sum(ram_limit_mb), 0)`.as('ram_mb'),
      sql<number>`coalesce(sum(io_read_mbps), 0)`.as('io_read_mbps'),
      sql<number>`coalesce(sum(io_write_mbps), 0)`.as('io_write_mbps'),
      sql<number>`coalesce(sum(iops), 0)`.as('iops'),
      sql<number>`coalesce(sum(max_processes), 0)`.as('max_processes'),
      sql<number>`count(*) - count(io_read_mbps)`.as('unlimited_io_read'),
      sql<number>`count(*) - count(io_write_mbps)`.as('unlimited_io_write'),
      sql<number>`count(*) - count(iops)`.as('unlimited_iops'),
      sql<number>`count(*) - count(max_processes)`.as('unlimited_processes'),
    ])
    .where('reseller_user_id', '=', resellerUserId)
    .executeTakeFirstOrThrow();
}
