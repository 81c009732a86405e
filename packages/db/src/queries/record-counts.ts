import { type Kysely, sql, type Transaction } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import type { Database } from '../schema/index.ts';
import type { OperatorScope } from './scope.ts';

/**
 * Totals of lists that are exact and cost the same with ten records and with a million.
 *
 * `addToCount` runs in the transaction that inserts or deletes the record, so a count is as true as the rows.
 * A count is spread over slots, by the id of the account, so that writers of different accounts seldom wait
 * for one row. Rows are locked in ascending order, all before a reseller's, which is the recount's order too:
 * nobody waits in a circle.
 */
const SLOTS = 16;
const ALL = 0;

type CountedRecord = Database['record_counts']['record'];

export interface CountedAccount {
  id: number;
  reseller_user_id: number | null;
}

/** Notes that the account was added (1) or is gone (-1). */
export async function addToCount(
  trx: Transaction<Database>,
  record: CountedRecord,
  account: CountedAccount,
  change: number,
): Promise<void> {
  const scopes = account.reseller_user_id === null ? [ALL] : [ALL, account.reseller_user_id];
  const slot = account.id % SLOTS;
  await trx
    .insertInto('record_counts')
    .values(scopes.map((scope_id) => ({ record, scope_id, slot, records: change })))
    .onDuplicateKeyUpdate({ records: sql`records + ${change}` })
    .execute();
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

/**
 * Counts everything anew and writes what was wrong; answers how many counts were. Writers wait meanwhile, a
 * reading of one index: whoever has not yet noted its change is not seen by the count, and notes it after.
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
      .where('record', '=', 'accounts')
      .orderBy('scope_id')
      .orderBy('slot')
      .forUpdate()
      .execute();
    const wrong = differences(noted, await countAccounts(trx));
    for (const { scope_id, slot, records } of wrong)
      await trx
        .insertInto('record_counts')
        .values({ record: 'accounts', scope_id, slot, records })
        .onDuplicateKeyUpdate({ records })
        .execute();
    return wrong.length;
  });
}

type Count = Pick<Database['record_counts'], 'scope_id' | 'slot' | 'records'>;

async function countAccounts(trx: Transaction<Database>): Promise<Count[]> {
  const slot = sql<number>`id % ${sql.lit(SLOTS)}`;
  return await trx
    .selectFrom('accounts')
    .select((eb) => [
      eb.fn.coalesce('reseller_user_id', eb.lit(ALL)).as('scope_id'),
      slot.as('slot'),
      eb.fn.countAll<number>().as('records'),
    ])
    .groupBy(['reseller_user_id', slot])
    .execute();
}

/** What should stand there instead of what is noted. `counted` has only its own accounts under `ALL`. */
function differences(noted: readonly Count[], counted: readonly Count[]): Count[] {
  const keyOf = ({ scope_id, slot }: Count) => `${scope_id}/${slot}`;
  const notedRecords = new Map(noted.map((count) => [keyOf(count), count.records]));
  const right = new Map(noted.map((count) => [keyOf(count), { ...count, records: 0 }]));
  for (const { scope_id, slot, records } of counted)
    for (const scope of new Set([ALL, scope_id])) {
      const count = { scope_id: scope, slot, records };
      count.records += right.get(keyOf(count))?.records ?? 0;
      right.set(keyOf(count), count);
    }
  return [...right.values()].filter((count) => notedRecords.get(keyOf(count)) !== count.records);
}
