import type { Kysely, Transaction } from 'kysely';
import type { Database, UsersTable } from '../schema/index.ts';
import { type OperatorScope, within } from './scope.ts';

export interface SecondFactor {
  username: string;
  totp_sealed_secret: string | null;
  totp_confirmed_at: Date | null;
  totp_locked_at: Date | null;
}

export async function findSecondFactor(
  db: Kysely<Database>,
  userId: number,
): Promise<SecondFactor | undefined> {
  return await secondFactor(db, userId).executeTakeFirst();
}

/** The same, and locks the user. */
export async function lockSecondFactor(
  trx: Transaction<Database>,
  userId: number,
): Promise<SecondFactor | undefined> {
  return await secondFactor(trx, userId).forUpdate().executeTakeFirst();
}

function secondFactor(db: Kysely<Database>, userId: number) {
  return db
    .selectFrom('users')
    .select(['username', 'totp_sealed_secret', 'totp_confirmed_at', 'totp_locked_at'])
    .where('id', '=', userId);
}

/** The columns that an operator may see of the second factor of a user that it manages. */
export interface ManagedUser {
  id: number;
  username: string;
  role: UsersTable['role'];
  totp_confirmed_at: Date | null;
  totp_locked_at: Date | null;
}

/** The panel user with this (lowercase) name, among all users or among the end users of a reseller's accounts. */
export async function findManagedUser(
  db: Kysely<Database>,
  scope: OperatorScope,
  username: string,
): Promise<ManagedUser | undefined> {
  const named = db
    .selectFrom('users')
    .select(['users.id', 'users.username', 'users.role', 'users.totp_confirmed_at', 'users.totp_locked_at'])
    .where('users.username', '=', username)
    .where('users.removed_at', 'is', null);
  if (scope === 'all') return await named.executeTakeFirst();
  return await named
    .innerJoin('accounts', (join) =>
      join.onRef('accounts.username', '=', 'users.username').onRef('accounts.user_id', '=', 'users.id'),
    )
    .where(...within(scope))
    .executeTakeFirst();
}

/** Enables the second factor with this secret. Only codes of a later time step than the confirming one are accepted. */
export async function storeTotp(
  trx: Transaction<Database>,
  userId: number,
  { sealedSecret, step, now }: { sealedSecret: string; step: number; now: Date },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      totp_sealed_secret: sealedSecret,
      totp_confirmed_at: now,
      totp_last_step: step,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute();
}

/** Disables the second factor and deletes the recovery codes. */
export async function clearSecondFactor(
  trx: Transaction<Database>,
  userId: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      totp_sealed_secret: null,
      totp_confirmed_at: null,
      totp_last_step: 0,
      totp_locked_at: null,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute();
  await replaceRecoveryCodes(trx, userId, [], now);
}

/** Locks the authenticator: its codes are refused. Returns false if it was locked already. */
export async function lockTotp(trx: Transaction<Database>, userId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ totp_locked_at: now })
    .where('id', '=', userId)
    .where('totp_confirmed_at', 'is not', null)
    .where('totp_locked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Unlocks the authenticator: its codes are accepted again. Returns false if it was not locked. */
export async function unlockTotp(trx: Transaction<Database>, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ totp_locked_at: null })
    .where('id', '=', userId)
    .where('totp_locked_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The number of the user's unused recovery codes. */
export async function countRecoveryCodes(db: Kysely<Database>, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Marks the code of a time step as used. Returns false if this step or a later one was used before: a replay. */
export async function spendTotpStep(
  trx: Transaction<Database>,
  userId: number,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where('totp_last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Marks a recovery code as used. Returns false if the user has no code with this hash, or has used it. */
export async function spendRecoveryCode(
  trx: Transaction<Database>,
  userId: number,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Replaces the user's recovery codes. */
export async function replaceRecoveryCodes(
  trx: Transaction<Database>,
  userId: number,
  hashes: readonly Buffer[],
  now: Date,
): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, created_at: now, used_at: null })))
    .execute();
}
