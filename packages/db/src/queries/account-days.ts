import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';
import { ALL, type CountedAccount, countScope, SLOTS } from './record-counts.ts';
import type { OperatorScope } from './scope.ts';

const DAY_MS = 86_400_000;

/** The UTC day of a time, as days since 1970-01-01. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

/**
 * Adds an account to those that were created or removed on the day of `at`. It runs in the transaction that does so,
 * after `addToCounts`: whoever changes a slot here already has the same slot there, so no deadlock is possible.
 */
export async function addToDay(
  trx: Transaction<Database>,
  account: Pick<CountedAccount, 'id' | 'reseller_user_id'>,
  what: 'created' | 'removed',
  at: Date,
): Promise<void> {
  const scopes = [ALL, ...(account.reseller_user_id === null ? [] : [account.reseller_user_id])];
  const row = { day: dayOf(at), slot: account.id % SLOTS, created: 0, removed: 0, [what]: 1 };
  await trx
    .insertInto('account_days')
    .values(scopes.map((scope_id) => ({ ...row, scope_id })))
    .onDuplicateKeyUpdate({ [what]: sql`${sql.id(what)} + 1` })
    .execute();
}

/**
 * How many accounts were created and removed on each of these days. An account counts for the reseller that it had on that
 * day. Days without a change are missing. One SQL statement that reads at most 16 rows of the primary key for each day.
 */
export async function findAccountDays(
  db: Kysely<Database>,
  scope: OperatorScope,
  days: readonly number[],
): Promise<{ day: number; created: number; removed: number }[]> {
  return await db
    .selectFrom('account_days')
    .select((eb) => [
      'day',
      eb.fn.sum<number>('created').as('created'),
      eb.fn.sum<number>('removed').as('removed'),
    ])
    .where('day', 'in', days)
    .where('scope_id', '=', countScope(scope))
    .groupBy('day')
    .execute();
}

/** Deletes the oldest rows of days before `before`. Returns how many. */
export async function deleteAccountDaysBefore(
  db: Kysely<Database>,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('account_days')
    .where('day', '<', dayOf(before))
    .orderBy('day')
    .limit(limit)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
