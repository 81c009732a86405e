import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import type { AccountsTable, Database } from '../schema/index.ts';
import type { OperatorScope } from './scope.ts';

/**
 * Numbers of accounts (in total, per reseller, per node and per package) and sums of their limits. The counts are
 * exact, and reading them costs the same with ten accounts and with a million.
 *
 * `addToCounts` runs in the transaction that inserts, deletes or changes the account, so a count is as correct as the
 * rows. A count is spread over slots, by the id of the account, so that writers of different accounts seldom wait for
 * one row. Every writer first locks its slot of the total count, so that no deadlock is possible behind it. A recount
 * locks all of those slots before anything else, so no writer runs beside it.
 */
export const SLOTS = 16;
export const ALL = 0;

type CountedRecord = Database['record_counts']['record'];
type Count = Selectable<Database['record_counts']>;

/** The columns that counts depend on. A change of other columns does not change any count. */
const countedColumns = ['reseller_user_id', 'package_id', 'disk_limit_mb', 'ram_limit_mb'] as const;

export type CountedAccount = Pick<
  Selectable<AccountsTable>,
  'id' | 'node_id' | (typeof countedColumns)[number]
>;

/** Whether a change of an account changes the counts. */
export function movesCounts(account: CountedAccount, change: Partial<CountedAccount>): boolean {
  return countedColumns.some((column) => change[column] !== undefined && change[column] !== account[column]);
}

/** Adds the account, with the values in `account`, to the counts (1) or removes it (-1). */
export async function addToCounts(
  trx: Transaction<Database>,
  account: CountedAccount,
  change: 1 | -1,
): Promise<void> {
  const amounts = {
    records: change,
    disk_mb: change * account.disk_limit_mb,
    ram_mb: change * account.ram_limit_mb,
  };
  const slot = account.id % SLOTS;
  await trx
    .insertInto('record_counts')
    .values(countsWith(account).map(([record, scope_id]) => ({ record, scope_id, slot, ...amounts })))
    .onDuplicateKeyUpdate({
      records: sql`records + ${amounts.records}`,
      disk_mb: sql`disk_mb + ${amounts.disk_mb}`,
      ram_mb: sql`ram_mb + ${amounts.ram_mb}`,
    })
    .execute();
}

/** The counts that include an account. The total comes first. */
function countsWith(
  account: Pick<CountedAccount, 'reseller_user_id' | 'node_id' | 'package_id'>,
): [CountedRecord, number][] {
  return [
    ['accounts', ALL],
    ...(account.reseller_user_id === null
      ? []
      : [['accounts', account.reseller_user_id] as [CountedRecord, number]]),
    ['node_accounts', account.node_id],
    ['package_accounts', account.package_id],
  ];
}

/** The value of `scope_id` for the scope. */
export function countScope(scope: OperatorScope): number {
  return scope === 'all' ? ALL : scope.resellerUserId;
}

/** The number of records in the scope, as a part of another statement: `SLOTS` rows of the primary key. */
export function countOf(db: Kysely<Database>, record: CountedRecord, scopeId: number) {
  return db
    .selectFrom('record_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('records'), eb.lit(0)).as('total'))
    .where('record', '=', record)
    .where('scope_id', '=', scopeId);
}

/**
 * Numbers of accounts and sums of their limits by `scope_id`, as a part of another statement: `SLOTS` rows for each.
 */
export function countsByScope(db: Kysely<Database>, record: CountedRecord) {
  return db
    .selectFrom('record_counts')
    .select((eb) => [
      'scope_id',
      eb.fn.sum<number>('records').as('accounts'),
      eb.fn.sum<number>('disk_mb').as('disk_mb'),
      eb.fn.sum<number>('ram_mb').as('ram_mb'),
    ])
    .where('record', '=', record)
    .groupBy('scope_id');
}

/** Deletes the counts of a removed scope. */
export async function deleteCounts(
  trx: Transaction<Database>,
  record: CountedRecord,
  scopeId: number,
): Promise<void> {
  await trx
    .deleteFrom('record_counts')
    .where('record', '=', record)
    .where('scope_id', '=', scopeId)
    .execute();
}

/**
 * Counts everything again and corrects wrong counts. Returns how many were wrong. Writers wait meanwhile, for the time
 * of reading all accounts. A change that is not yet in the counts is invisible to the recount, and is added after it.
 */
export async function recount(db: Kysely<Database>): Promise<number> {
  await db
    .insertInto('record_counts')
    .ignore()
    .values(
      Array.from({ length: SLOTS }, (_, slot) => ({ record: 'accounts', scope_id: ALL, slot, records: 0 })),
    )
    .execute();
  return await inTransaction(db, async (trx) => {
    const noted = await trx
      .selectFrom('record_counts')
      .selectAll()
      .orderBy('record')
      .orderBy('scope_id')
      .orderBy('slot')
      .forUpdate()
      .execute();
    const wrong = differences(noted, await countAccounts(trx));
    for (const { record, scope_id, slot, ...amounts } of wrong)
      await trx
        .insertInto('record_counts')
        .values({ record, scope_id, slot, ...amounts })
        .onDuplicateKeyUpdate(amounts)
        .execute();
    return wrong.length;
  });
}

/** Computes every count from the accounts. */
async function countAccounts(trx: Transaction<Database>): Promise<Map<string, Count>> {
  const scopes = ['reseller_user_id', 'node_id', 'package_id'] as const;
  const slot = sql<number>`id % ${sql.lit(SLOTS)}`;
  const groups = await trx
    .selectFrom('accounts')
    .select([...scopes, slot.as('slot')])
    .select((eb) => [
      eb.fn.countAll<number>().as('records'),
      eb.fn.sum<number>('disk_limit_mb').as('disk_mb'),
      eb.fn.sum<number>('ram_limit_mb').as('ram_mb'),
    ])
    .groupBy([...scopes, slot])
    .execute();
  const counts = new Map<string, Count>();
  for (const { slot, records, disk_mb, ram_mb, ...group } of groups)
    for (const [record, scope_id] of countsWith(group)) {
      const empty = { record, scope_id, slot, records: 0, disk_mb: 0, ram_mb: 0 };
      const count = counts.get(keyOf(empty)) ?? empty;
      count.records += records;
      count.disk_mb += disk_mb;
      count.ram_mb += ram_mb;
      counts.set(keyOf(empty), count);
    }
  return counts;
}

/** The correct values of the counts that are wrong. */
function differences(noted: readonly Count[], counted: ReadonlyMap<string, Count>): Count[] {
  const right = new Map([
    ...noted.map((count) => [keyOf(count), { ...count, records: 0, disk_mb: 0, ram_mb: 0 }] as const),
    ...counted,
  ]);
  for (const count of noted) if (isSame(count, right.get(keyOf(count)))) right.delete(keyOf(count));
  return [...right.values()];
}

function isSame(one: Count, other: Count | undefined): boolean {
  return (['records', 'disk_mb', 'ram_mb'] as const).every((amount) => one[amount] === other?.[amount]);
}

function keyOf({ record, scope_id, slot }: Pick<Count, 'record' | 'scope_id' | 'slot'>): string {
  return `${record}/${scope_id}/${slot}`;
}
