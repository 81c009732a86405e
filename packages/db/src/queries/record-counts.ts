import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import type { AccountsTable, Database } from '../schema/index.ts';
import type { OperatorScope } from './scope.ts';

/**
 * How many accounts there are in all, of a reseller, on a node and of a package, and what they may take: exact, and
 * read at the same cost with ten accounts and with a million.
 *
 * `addToCounts` runs in the transaction that inserts, deletes or changes the account, so a count is as true as the
 * rows. A count is spread over slots, by the id of the account, so that writers of different accounts seldom wait
 * for one row. Every writer locks its slot of the count of all first: behind it nobody waits in a circle, and a
 * recount, which locks all of those slots before anything else, has no writer beside it.
 */
const SLOTS = 16;
const ALL = 0;

type CountedRecord = Database['record_counts']['record'];
type Count = Selectable<Database['record_counts']>;

/** What counts are made of: an account that differs in none of it is counted as it was. */
const countedColumns = ['package_id', 'disk_limit_mb', 'ram_limit_mb'] as const;

export type CountedAccount = Pick<
  Selectable<AccountsTable>,
  'id' | 'reseller_user_id' | 'node_id' | (typeof countedColumns)[number]
>;

/** Whether an account is counted in another way after a change. */
export function movesCounts(account: CountedAccount, change: Partial<CountedAccount>): boolean {
  return countedColumns.some((column) => change[column] !== undefined && change[column] !== account[column]);
}

/** Notes that the account, as it stands in `account`, is there (1) or is no more (-1). */
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

/** The counts that an account is part of; that of all comes first. */
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

/** The scope as it stands in the table. */
export function countScope(scope: OperatorScope): number {
  return scope === 'all' ? ALL : scope.resellerUserId;
}

/** How many there are in the scope, as a part of another statement: `SLOTS` rows of the primary key. */
export function countOf(db: Kysely<Database>, record: CountedRecord, scopeId: number) {
  return db
    .selectFrom('record_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('records'), eb.lit(0)).as('total'))
    .where('record', '=', record)
    .where('scope_id', '=', scopeId);
}

/** Accounts and what they may take by `scope_id`, as a part of another statement: `SLOTS` rows for each. */
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

/** The scope is gone, and all that was counted in it before. */
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
 * Counts everything anew and writes what was wrong; answers how many counts were. Writers wait meanwhile, a
 * reading of all accounts: whoever has not yet noted its change is not seen by the count, and notes it after.
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

/** Every count as the accounts themselves say it. */
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

/** What should stand there instead of what is noted. */
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
