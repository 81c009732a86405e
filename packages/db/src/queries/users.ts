import { invalidField, type StaffRole, staffRoles } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database, UsersTable } from '../schema/index.ts';
import { isUniqueViolation } from '../unique-violation.ts';

/** The form of an address for comparisons. */
export function comparableEmail(email: string): string {
  return email.toLowerCase();
}

export interface StaffUser {
  id: number;
  username: string;
  role: StaffRole | 'reseller';
}

/** The person of the staff, or reseller, with this name. Never an end user. */
export async function findStaffUser(db: Kysely<Database>, username: string): Promise<StaffUser | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('username', '=', username)
    .where('role', 'in', [...staffRoles, 'reseller'])
    .where('removed_at', 'is', null)
    .$narrowType<{ role: StaffUser['role'] }>()
    .executeTakeFirst();
}

/** Whether a user with this role exists and may sign in. */
export async function canSignIn(
  db: Kysely<Database>,
  { id, role }: { id: number; role: UsersTable['role'] },
): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('role', '=', role)
    .where('disabled_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Stores the language of a user's panel. */
export async function setUserLanguage(db: Kysely<Database>, userId: number, language: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ language })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('language', 'is', null), eb('language', '!=', language)]))
    .execute();
}

/** Locks a user: serializes the transactions that change it. Returns whether it can sign in. */
export async function lockUser(
  trx: Transaction<Database>,
  userId: number,
): Promise<{ disabled_at: Date | null } | undefined> {
  return await trx
    .selectFrom('users')
    .select('disabled_at')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Inserts a panel user and reserves its name. Returns its id. Throws DomainError `invalid` for a name in use by any
 * user or account.
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
 * Reserves an address for an admin or reseller. Throws DomainError `invalid` if another of them, or an end user, has
 * it. Writes first and then checks with a lock. A concurrent creation of an account with the same address works in the
 * opposite order, so at least one of the two sees the other.
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

/** Gives the address of an admin or reseller free. The caller has locked the user. */
export async function releaseStaffEmail(
  trx: Transaction<Database>,
  email: string,
  userId: number,
): Promise<void> {
  await trx
    .deleteFrom('staff_emails')
    .where('email_lower', '=', comparableEmail(email))
    .where('user_id', '=', userId)
    .execute();
}

/** Stores the name and address of a user, which the caller has locked. */
export async function storeProfile(
  trx: Transaction<Database>,
  userId: number,
  { name, email }: { name: string; email: string },
  now: Date,
): Promise<void> {
  const email_lower = comparableEmail(email);
  await trx
    .updateTable('users')
    .set({ name, email, email_lower, updated_at: now })
    .where('id', '=', userId)
    .execute();
}

/** Stores the name and address of an end user in its account, which the caller has locked. Servers do not know them. */
export async function storeAccountPerson(
  trx: Transaction<Database>,
  accountId: number,
  { name, email }: { name: string; email: string },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ name, email, updated_at: now })
    .where('id', '=', accountId)
    .execute();
}

/** Whether an address belongs to an admin or reseller. Read without a lock, so the result can be outdated. */
export async function isStaffEmail(db: Kysely<Database>, email: string): Promise<boolean> {
  return (await staffEmail(db, email).executeTakeFirst()) !== undefined;
}

/**
 * Throws DomainError `invalid` if an address belongs to an admin or reseller. Call it after the end user's row was
 * inserted; see `takeStaffEmail` for the reason.
 */
export async function refuseStaffEmail(trx: Transaction<Database>, email: string): Promise<void> {
  const staff = await staffEmail(trx, email).forUpdate().executeTakeFirst();
  if (staff !== undefined) throw invalidField('email', 'The email has already been taken.');
}

function staffEmail(db: Kysely<Database>, email: string) {
  return db.selectFrom('staff_emails').select('user_id').where('email_lower', '=', comparableEmail(email));
}
