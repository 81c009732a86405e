import { linuxUserFor } from '@innkeeper/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';

/** Whether an account or panel user has the name, or a node has a Linux user of that name for itself. */
export async function isUsernameTaken(db: Kysely<Database>, username: string): Promise<boolean> {
  const used = await db
    .selectFrom('usernames')
    .select('username')
    .where('username', '=', username)
    .executeTakeFirst();
  if (used !== undefined) return true;
  const reserved = await db
    .selectFrom('node_reserved_usernames')
    .select('username')
    .where('username', 'in', [username, linuxUserFor(username)])
    .limit(1)
    .executeTakeFirst();
  return reserved !== undefined;
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
