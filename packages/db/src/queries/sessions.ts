import type { AccountState } from '@innkeeper/domain';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { Database, SessionsTable, UsersTable } from '../schema/index.ts';

export type SessionRow = Selectable<SessionsTable>;

/** A session with whom it stands for. */
export interface SessionWithUser extends SessionRow {
  username: string;
  role: UsersTable['role'];
  /** Of an end user's account; null for staff, and for an end user whose account is gone. */
  account_id: number | null;
  account_state: AccountState | null;
}

/** Answers its id. */
export async function insertSession(
  trx: Transaction<Database>,
  session: Insertable<SessionsTable>,
): Promise<number> {
  const { insertId } = await trx.insertInto('sessions').values(session).executeTakeFirstOrThrow();
  return Number(insertId);
}

/** The session with this SHA-256, however old: one statement of unique keys (an account has its end user's name). */
export async function findSessionByHash(
  db: Kysely<Database>,
  tokenHash: Buffer,
): Promise<SessionWithUser | undefined> {
  const { rows } = await findByHash(db, { tokenHash });
  return rows[0];
}

const findByHash = compileOnce((db, { tokenHash }: { tokenHash: Buffer }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.username', '=', 'users.username').onRef('accounts.user_id', '=', 'users.id'),
    )
    .selectAll('sessions')
    .select(['users.username', 'users.role'])
    .select(['accounts.id as account_id', 'accounts.state as account_state'])
    .where('sessions.token_hash', '=', tokenHash)
    .compile(),
);

/** Notes that a session was used, unless that was noted after `unlessAfter`. */
export async function touchSession(
  db: Kysely<Database>,
  sessionId: number,
  { now, unlessAfter }: { now: Date; unlessAfter: Date },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', sessionId)
    .where('last_seen_at', '<=', unlessAfter)
    .execute();
}

/** Notes that the password or a code was given in the session. */
export async function storeSessionProof(
  trx: Transaction<Database>,
  sessionId: number,
  now: Date,
): Promise<void> {
  await trx.updateTable('sessions').set({ proved_at: now }).where('id', '=', sessionId).execute();
}

/** A user's newest sessions that neither ended nor stood idle for too long. */
export async function findSessionsOfUser(
  db: Kysely<Database>,
  userId: number,
  { now, seenAfter, limit }: { now: Date; seenAfter: Date; limit: number },
): Promise<SessionRow[]> {
  return await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', seenAfter)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Ends one session of the user. False when the user has none of this id. */
export async function deleteSession(
  trx: Transaction<Database>,
  userId: number,
  sessionId: number,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends the user's sessions, but for one that may be spared. Answers how many there were. */
export async function deleteSessionsOfUser(
  trx: Transaction<Database>,
  userId: number,
  spare?: number,
): Promise<number> {
  let query = trx.deleteFrom('sessions').where('user_id', '=', userId);
  if (spare !== undefined) query = query.where('id', '!=', spare);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Ends the user's sessions now. Their rows stay until they are swept: whoever comes with one can be told why. */
export async function expireSessionsOfUser(
  trx: Transaction<Database>,
  userId: number,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ expires_at: now })
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .execute();
}

/**
 * Removes up to `limit` sessions that ended before `endedBefore`. Answers how many it removed. The ids are read before, so that
 * rows are locked by primary key, as requests lock them.
 */
export async function deleteExpiredSessions(
  db: Kysely<Database>,
  { endedBefore, limit }: { endedBefore: Date; limit: number },
): Promise<number> {
  const expired = await db
    .selectFrom('sessions')
    .select('id')
    .where('expires_at', '<=', endedBefore)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  if (expired.length === 0) return 0;
  const ids = expired.map(({ id }) => id);
  const { numDeletedRows } = await db.deleteFrom('sessions').where('id', 'in', ids).executeTakeFirst();
  return Number(numDeletedRows);
}
