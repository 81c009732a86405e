import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../schema/index.ts';
import type { PasswordLinksTable } from '../schema/mail.ts';

export async function insertPasswordLink(db: Kysely<Database>, link: PasswordLinksTable): Promise<void> {
  await db.insertInto('password_links').values(link).execute();
}

/** The link with this SHA-256, also if it has expired. */
export async function findPasswordLink(
  db: Kysely<Database>,
  tokenHash: Buffer,
): Promise<PasswordLinksTable | undefined> {
  return await db
    .selectFrom('password_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** Deletes every link of a user. Returns how many. */
export async function deletePasswordLinksOfUser(trx: Transaction<Database>, userId: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('password_links')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes up to `limit` expired links. Returns how many. */
export async function deleteExpiredPasswordLinks(
  db: Kysely<Database>,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const expired = await db
    .selectFrom('password_links')
    .select('token_hash')
    .where('expires_at', '<=', now)
    .limit(limit)
    .execute();
  if (expired.length === 0) return 0;
  const hashes = expired.map(({ token_hash }) => token_hash);
  const { numDeletedRows } = await db
    .deleteFrom('password_links')
    .where('token_hash', 'in', hashes)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
