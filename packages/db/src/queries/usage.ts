import { type Kysely, sql, type Transaction } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { AccountsTable, Database } from '../schema/index.ts';
import type { Scope } from './scope.ts';

/** A snapshot younger than this is not measured again. */
const FRESH_SECONDS = 60;

type Limits = Pick<
  AccountsTable,
  'disk_limit_mb' | 'bandwidth_limit_mb' | 'cpu_limit_percent' | 'ram_limit_mb'
>;

/** The limits of an account and its last measured usage; null before the first measurement. */
export interface UsageRow extends Limits {
  id: number;
  node_id: number;
  disk_used_mb: number | null;
  cpu_used_percent: number | null;
  ram_used_mb: number | null;
  taken_at: Date | null;
  /** Bandwidth of the requested month. Null: none was measured yet. */
  bandwidth_used_mb: number | null;
  /** 1 if it was measured within the last 60 s, by database time. */
  is_fresh: number;
}

/** The accounts, and the month for the bandwidth. */
type Wanted = { accountIds: readonly number[]; month: string };

/** One SQL statement that reads a few primary keys per account. Accounts outside the scope are left out. */
export async function findUsage(db: Kysely<Database>, scope: Scope, wanted: Wanted): Promise<UsageRow[]> {
  if (scope !== 'all' && 'accountId' in scope)
    return await findUsage(db, 'all', {
      ...wanted,
      accountIds: wanted.accountIds.filter((id) => id === scope.accountId),
    });
  if (wanted.accountIds.length === 0) return [];
  const { rows } =
    scope === 'all'
      ? await findAnyUsage(db, wanted)
      : await findManagedUsage(db, { ...wanted, resellerUserId: scope.resellerUserId });
  return rows;
}

const findAnyUsage = compileOnce((db, wanted: Wanted) => usageOf(db, wanted).compile());
const findManagedUsage = compileOnce((db, wanted: Wanted & { resellerUserId: number }) =>
  usageOf(db, wanted).where('accounts.reseller_user_id', '=', wanted.resellerUserId).compile(),
);

function usageOf(db: Kysely<Database>, wanted: Wanted) {
  return db
    .selectFrom('accounts')
    .leftJoin('usage_snapshots', 'usage_snapshots.account_id', 'accounts.id')
    .leftJoin('bandwidth_monthly', (join) =>
      join
        .onRef('bandwidth_monthly.account_id', '=', 'accounts.id')
        .on('bandwidth_monthly.month', '=', wanted.month),
    )
    .select(['accounts.id', 'accounts.node_id', 'accounts.disk_limit_mb', 'accounts.bandwidth_limit_mb'])
    .select(['accounts.cpu_limit_percent', 'accounts.ram_limit_mb'])
    .select(['usage_snapshots.disk_used_mb', 'usage_snapshots.cpu_used_percent'])
    .select(['usage_snapshots.ram_used_mb', 'usage_snapshots.taken_at'])
    .select('bandwidth_monthly.used_mb as bandwidth_used_mb')
    .select(
      sql<number>`coalesce(usage_snapshots.taken_at > now(6) - interval ${sql.lit(FRESH_SECONDS)} second, 0)`.as(
        'is_fresh',
      ),
    )
    .where(sql<boolean>`accounts.id in (${wanted.accountIds})`);
}

/** A node's measurement of one of its accounts. */
export interface Measurement {
  account_id: number;
  node_id: number;
  disk_used_mb: number;
  bandwidth_used_mb: number;
  cpu_used_percent: number;
  ram_used_mb: number;
  /** The month that bandwidth was counted in. Null: unknown. */
  month: string | null;
}

/**
 * Stores measurements that are `ageMs` ms old. One SQL statement for the snapshots, whose time only moves forward, and
 * one for bandwidth, which never decreases within a month. Accounts that are gone or on another node are left out.
 */
export async function storeMeasurements(
  trx: Transaction<Database>,
  measurements: readonly Measurement[],
  ageMs: number,
): Promise<void> {
  if (measurements.length === 0) return;
  const takenAt = sql`(now(6) - interval ${sql.lit(Math.round(ageMs * 1_000))} microsecond)`;
  const newer = (column: string) =>
    sql`${sql.ref(column)} = if(usage_snapshots.taken_at < ${takenAt}, ${sql.ref(`measured.${column}`)}, ${sql.ref(`usage_snapshots.${column}`)})`;
  // `taken_at` is assigned last, because the other columns are compared with its old value.
  await sql`
    insert into usage_snapshots (account_id, disk_used_mb, bandwidth_used_mb, cpu_used_percent, ram_used_mb, taken_at)
    select measured.account_id, measured.disk_used_mb, measured.bandwidth_used_mb, measured.cpu_used_percent,
      measured.ram_used_mb, ${takenAt}
    from ${ofAccounts(measurements)}
    on duplicate key update ${newer('disk_used_mb')}, ${newer('bandwidth_used_mb')}, ${newer('cpu_used_percent')},
      ${newer('ram_used_mb')}, taken_at = greatest(usage_snapshots.taken_at, ${takenAt})`.execute(trx);

  const ofMonths = measurements.filter(({ month }) => month !== null);
  if (ofMonths.length === 0) return;
  await sql`
    insert into bandwidth_monthly (account_id, month, used_mb, updated_at)
    select measured.account_id, measured.month, measured.bandwidth_used_mb, ${takenAt}
    from ${ofAccounts(ofMonths)}
    on duplicate key update
      updated_at = if(bandwidth_monthly.used_mb < measured.bandwidth_used_mb, ${takenAt}, bandwidth_monthly.updated_at),
      used_mb = greatest(bandwidth_monthly.used_mb, measured.bandwidth_used_mb)`.execute(trx);
}

/** The measurements as a table, joined with the accounts that are still on the node that measured them. */
function ofAccounts(measurements: readonly Measurement[]) {
  const rows = measurements.map(
    (
      row,
    ) => sql`select ${row.account_id} as account_id, ${row.node_id} as node_id, ${row.disk_used_mb} as disk_used_mb,
      ${row.bandwidth_used_mb} as bandwidth_used_mb, ${row.cpu_used_percent} as cpu_used_percent,
      ${row.ram_used_mb} as ram_used_mb, ${row.month} as month`,
  );
  return sql`(${sql.join(rows, sql` union all `)}) as measured
    inner join accounts on accounts.id = measured.account_id and accounts.node_id = measured.node_id`;
}
