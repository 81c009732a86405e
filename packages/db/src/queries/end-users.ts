import { linuxUserFor } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database, UsersTable } from '../schema/index.ts';
import type { AccountRow } from './accounts.ts';
import { nodesThatTake } from './placement.ts';
import { comparableEmail } from './users.ts';

/**
 * Whether an account or panel user has the name, or every node that takes accounts reserves it. A node's reserved names
 * apply to that node only, so a lying node cannot take names from the other nodes.
 */
export async function isUsernameTaken(db: Kysely<Database>, username: string): Promise<boolean> {
  const inUse = db.selectFrom('usernames').select('username').where('username', '=', username);
  const reserved = db
    .selectFrom('node_reserved_usernames')
    .select('username')
    .where('username', 'in', [username, linuxUserFor(username)])
    .where((eb) => eb.not(eb.exists(nodesThatTake(db, username).select('nodes.id'))));
  return (await inUse.unionAll(reserved).limit(1).executeTakeFirst()) !== undefined;
}

/** `hash`: argon2id in PHC string format. */
export async function setPasswordHash(
  trx: Transaction<Database>,
  userId: number,
  hash: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: hash, updated_at: now })
    .where('id', '=', userId)
    .execute();
}

/** The columns of a panel user that signing in needs. */
export interface SignInUser {
  id: number;
  username: string;
  email: string;
  role: UsersTable['role'];
  password_hash: string;
  totp_confirmed_at: Date | null;
}

/** The panel user with this (lowercase) name or with this id. */
export async function findSignInUser(
  db: Kysely<Database>,
  who: { username: string } | { id: number },
): Promise<SignInUser | undefined> {
  const query = db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role', 'password_hash', 'totp_confirmed_at']);
  return await ('id' in who
    ? query.where('id', '=', who.id)
    : query.where('username', '=', who.username).where('removed_at', 'is', null)
  ).executeTakeFirst();
}

/** The columns of a panel user that the user may see. */
export interface UserProfile {
  username: string;
  name: string;
  email: string;
  role: UsersTable['role'];
  totp_confirmed_at: Date | null;
  totp_locked_at: Date | null;
}

export async function findUserProfile(
  db: Kysely<Database>,
  userId: number,
): Promise<UserProfile | undefined> {
  return await db
    .selectFrom('users')
    .select(['username', 'name', 'email', 'role', 'totp_confirmed_at', 'totp_locked_at'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** Locks and returns the account of an end user. Finds it by the username, which both have in common. */
export async function lockAccountOfUser(
  trx: Transaction<Database>,
  user: { id: number; username: string },
): Promise<AccountRow | undefined> {
  return await trx
    .selectFrom('accounts')
    .selectAll()
    .where('username', '=', user.username)
    .where('user_id', '=', user.id)
    .forUpdate()
    .executeTakeFirst();
}

/** Creates the panel login that an account's row refers to, if it is missing. The caller has locked the account. */
export async function restoreEndUser(
  trx: Transaction<Database>,
  account: Pick<AccountRow, 'user_id' | 'username' | 'name' | 'email'>,
  passwordHash: string,
  now: Date,
): Promise<void> {
  const { user_id, username, name, email } = account;
  await trx
    .insertInto('users')
    .values({
      id: user_id,
      username,
      name,
      email,
      email_lower: comparableEmail(email),
      role: 'user',
      password_hash: passwordHash,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await trx.insertInto('usernames').ignore().values({ username, user_id }).execute();
}

/** Whether an account has an app, or a domain, with this id. */
export async function hasRecord(
  db: Kysely<Database>,
  table: 'apps' | 'domains',
  accountId: number,
  id: number,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}
