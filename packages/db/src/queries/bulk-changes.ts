import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import type { BulkChangesTable, Database } from '../schema/index.ts';
import { type AccountChoice, isChosen } from './account-search.ts';
import { type OperatorScope, within } from './scope.ts';

export type BulkChangeRow = Selectable<BulkChangesTable>;

/** Which accounts a bulk change is for. Accounts that are being removed are left out. */
export type BulkSelection =
  | { choice: AccountChoice }
  | { package_id: number }
  | { reseller_user_id: number; state?: 'active'; suspended_with_reseller?: 1 };

/** Stores a bulk change with its accounts. `total` is the number of accounts that are in the scope. */
export async function insertBulkChange(
  trx: Transaction<Database>,
  change: Omit<Insertable<BulkChangesTable>, 'total'>,
  scope: OperatorScope,
  selection: BulkSelection,
): Promise<{ id: number; total: number }> {
  const { insertId } = await trx
    .insertInto('bulk_changes')
    .values({ ...change, total: 0 })
    .executeTakeFirstOrThrow();
  const id = Number(insertId);
  let accounts = trx
    .selectFrom('accounts')
    .select([sql<number>`${id}`.as('bulk_change_id'), 'accounts.id'])
    .where('accounts.state', '!=', 'terminating');
  if (scope !== 'all') accounts = accounts.where(...within(scope));
  if ('choice' in selection) accounts = accounts.where(isChosen(scope, selection.choice));
  else if ('package_id' in selection)
    accounts = accounts.where('accounts.package_id', '=', selection.package_id);
  else {
    accounts = accounts.where('accounts.reseller_user_id', '=', selection.reseller_user_id);
    if (selection.state !== undefined) accounts = accounts.where('accounts.state', '=', selection.state);
    if (selection.suspended_with_reseller !== undefined)
      accounts = accounts.where('accounts.suspended_with_reseller', '=', selection.suspended_with_reseller);
  }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('bulk_change_accounts')
    .columns(['bulk_change_id', 'account_id'])
    .expression(accounts)
    .executeTakeFirstOrThrow();
  const total = Number(numInsertedOrUpdatedRows ?? 0);
  await trx.updateTable('bulk_changes').set({ total }).where('id', '=', id).execute();
  return { id, total };
}

/**
 * Takes the oldest bulk change that nobody works on. No other instance gets it for `leaseS` seconds; if this one ends,
 * another one goes on afterwards.
 */
export async function claimBulkChange(
  db: Kysely<Database>,
  { leaseS }: { leaseS: number },
): Promise<BulkChangeRow | undefined> {
  const free = sql<boolean>`(leased_until is null or leased_until < now(6))`;
  const due = db.selectFrom('bulk_changes').selectAll().where('finished_at', 'is', null).where(free);
  // Most looks find nothing, and cost one statement.
  if ((await due.limit(1).executeTakeFirst()) === undefined) return undefined;
  return await inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('bulk_changes')
      .selectAll()
      .where('finished_at', 'is', null)
      .where(free)
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (row !== undefined) await leaseBulkChange(trx, row.id, { leaseS });
    return row;
  });
}

/** Keeps the bulk change for another `leaseS` seconds. */
export async function leaseBulkChange(
  db: Kysely<Database>,
  id: number,
  { leaseS }: { leaseS: number },
): Promise<void> {
  await db
    .updateTable('bulk_changes')
    .set({ leased_until: sql<Date>`now(6) + interval ${leaseS} second` })
    .where('id', '=', id)
    .execute();
}

/** Ids of the next accounts that wait, in the order of ids. */
export async function findWaitingAccounts(
  db: Kysely<Database>,
  bulkChangeId: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('bulk_change_accounts')
    .select('account_id')
    .where('bulk_change_id', '=', bulkChangeId)
    .where('state', '=', 'waiting')
    .orderBy('account_id')
    .limit(limit)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** Stores the end of one account. */
export async function storeBulkOutcome(
  db: Kysely<Database>,
  at: { bulk_change_id: number; account_id: number },
  outcome: { state: 'done' } | { state: 'refused'; message: string },
): Promise<void> {
  await db
    .updateTable('bulk_change_accounts')
    .set(outcome)
    .where('bulk_change_id', '=', at.bulk_change_id)
    .where('account_id', '=', at.account_id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Counts an unexpected error; after `most` of them the account is refused with the message. */
export async function storeBulkFailure(
  db: Kysely<Database>,
  at: { bulk_change_id: number; account_id: number },
  { most, message }: { most: number; message: string },
): Promise<void> {
  await db
    .updateTable('bulk_change_accounts')
    .set({
      state: sql<'waiting'>`if(failures + 1 >= ${most}, 'refused', state)`,
      message: sql<string | null>`if(failures + 1 >= ${most}, ${message}, message)`,
      failures: sql<number>`failures + 1`,
    })
    .where('bulk_change_id', '=', at.bulk_change_id)
    .where('account_id', '=', at.account_id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Refuses all accounts that wait. */
export async function refuseWaiting(
  db: Kysely<Database>,
  bulkChangeId: number,
  message: string,
): Promise<void> {
  await db
    .updateTable('bulk_change_accounts')
    .set({ state: 'refused', message })
    .where('bulk_change_id', '=', bulkChangeId)
    .where('state', '=', 'waiting')
    .execute();
}

export async function storeBulkEnd(
  db: Kysely<Database>,
  id: number,
  { finished_at, left_out }: { finished_at: Date; left_out: string | null },
): Promise<void> {
  await db
    .updateTable('bulk_changes')
    .set({ finished_at, left_out, leased_until: null })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
}

/** Whether a bulk change about the subject runs. */
export async function isBulkChanging(db: Kysely<Database>, subject: string): Promise<boolean> {
  const running = await db
    .selectFrom('bulk_changes')
    .select('id')
    .where('subject', '=', subject)
    .where('finished_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return running !== undefined;
}

export interface BulkProgress extends BulkChangeRow {
  username: string | null;
  done: number;
  refused: number;
}

/** Bulk changes with their progress, newest first: those of one operator or of all; or the one with the id. */
export async function findBulkChanges(
  db: Kysely<Database>,
  { user_id, id, limit }: { user_id?: number | undefined; id?: number; limit: number },
): Promise<BulkProgress[]> {
  const counted = (state: 'done' | 'refused') =>
    sql<number>`(select count(*) from bulk_change_accounts
      where bulk_change_id = bulk_changes.id and state = ${state})`.as(state);
  let query = db
    .selectFrom('bulk_changes')
    .leftJoin('users', 'users.id', 'bulk_changes.user_id')
    .selectAll('bulk_changes')
    .select(['users.username', counted('done'), counted('refused')])
    .orderBy('bulk_changes.id', 'desc')
    .limit(limit);
  if (user_id !== undefined) query = query.where('bulk_changes.user_id', '=', user_id);
  if (id !== undefined) query = query.where('bulk_changes.id', '=', id);
  return await query.execute();
}

/** The refused accounts of a bulk change with their reasons, in the order of ids. */
export async function findRefusedAccounts(
  db: Kysely<Database>,
  bulkChangeId: number,
  limit: number,
): Promise<{ account_id: number; username: string | null; message: string | null }[]> {
  return await db
    .selectFrom('bulk_change_accounts')
    .leftJoin('accounts', 'accounts.id', 'bulk_change_accounts.account_id')
    .select(['bulk_change_accounts.account_id', 'accounts.username', 'bulk_change_accounts.message'])
    .where('bulk_change_id', '=', bulkChangeId)
    .where('bulk_change_accounts.state', '=', 'refused')
    .orderBy('bulk_change_accounts.account_id')
    .limit(limit)
    .execute();
}

/** Deletes up to `limit` accounts of bulk changes that ended before, and then these changes. Returns the number. */
export async function deleteEndedBulkChanges(
  db: Kysely<Database>,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const ended = await db
    .selectFrom('bulk_changes')
    .select('id')
    .where('finished_at', '<', before)
    .orderBy('finished_at')
    .limit(10)
    .execute();
  let deleted = 0;
  for (const { id } of ended) {
    const left = limit - deleted;
    if (left <= 0) break;
    const { numDeletedRows } = await db
      .deleteFrom('bulk_change_accounts')
      .where('bulk_change_id', '=', id)
      .limit(left)
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
    if (Number(numDeletedRows) < left) {
      await db.deleteFrom('bulk_changes').where('id', '=', id).execute();
      deleted += 1;
    }
  }
  return deleted;
}
