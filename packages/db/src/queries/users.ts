import { invalidField } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database, UsersTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';

/** An address as it is compared. */
export function comparableEmail(email: string): string {
  return email.toLowerCase();
}

export interface StaffUser {
  id: number;
  username: string;
  role: 'admin' | 'reseller';
}

/** The admin or reseller of this name; end users are none. */
export async function findStaffUser(db: Kysely<Database>, username: string): Promise<StaffUser | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('username', '=', username)
    .where('role', 'in', ['admin', 'reseller'])
    .$narrowType<{ role: StaffUser['role'] }>()
    .executeTakeFirst();
}

/** Lets one transaction at a time do what is done for this user. */
export async function lockUser(trx: Transaction<Database>, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

/**
 * Adds a panel user and takes its name for it; answers its id. Throws DomainError `invalid` for a name in
 * use by any user or account.
 */
export async function insertUser(
  trx: Transaction<Database>,
  user: {
    username: string;
    name: string;
    email: string;
    role: UsersTable['role'];
    password_hash: string;
    now: Date;
  },
): Promise<number> {
  const { now, ...columns } = user;
  const { insertId } = await trx
    .insertInto('users')
    .values({ ...columns, email_lower: comparableEmail(user.email), created_at: now, updated_at: now })
    .executeTakeFirstOrThrow();
  try {
    await trx
      .insertInto('usernames')
      .values({ username: user.username, user_id: Number(insertId) })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error, 'PRIMARY'))
      throw invalidField('username', 'The username has already been taken.');
    throw error;
  }
  return Number(insertId);
}

/**
 * Takes an address for an admin or reseller. Throws DomainError `invalid` when another of them, or an end
 * user, has it. Taken first and looked for afterwards, with a lock: an account that is being made with the
 * same address does the two the other way round, so that one of both sees the other.
 */
export async function takeStaffEmail(
  trx: Transaction<Database>,
  email: string,
  userId: number,
): Promise<void> {
  const email_lower = comparableEmail(email);
  const taken = () => invalidField('email', 'The email has already been taken.');
  try {
    await trx.insertInto('staff_emails').values({ email_lower, user_id: userId }).execute();
  } catch (error) {
    if (isUniqueViolation(error, 'PRIMARY')) throw taken();
    throw error;
  }
  const endUser = await trx
    .selectFrom('users')
    .select('id')
    .where('email_lower', '=', email_lower)
    .where('id', '!=', userId)
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (endUser !== undefined) throw taken();
}

/** Whether an address is an admin's or a reseller's, as far as one can say without a lock. */
export async function isStaffEmail(db: Kysely<Database>, email: string): Promise<boolean> {
  return (await staffEmail(db, email).executeTakeFirst()) !== undefined;
}

/**
 * Throws DomainError `invalid` when an address is an admin's or a reseller's. Call it after the end user's
 * row was inserted, for the reason that `takeStaffEmail` gives.
 */
export async function refuseStaffEmail(trx: Transaction<Database>, email: string): Promise<void> {
  const staff = await staffEmail(trx, email).forUpdate().executeTakeFirst();
  if (staff !== undefined) throw invalidField('email', 'The email has already been taken.');
}

function staffEmail(db: Kysely<Database>, email: string) {
  return db.selectFrom('staff_emails').select('user_id').where('email_lower', '=', comparableEmail(email));
}
