import type { AccountState } from '@innkeeper/domain';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import type { Database, SessionsTable, UsersTable } from '../schema/index.ts';

export type SessionRow = Selectable<SessionsTable>;

/** A session joined with its user. */
export interface SessionWithUser extends SessionRow {
  username: string;
  role: UsersTable['role'];
  /** Id of an end user's account. Null for staff, and for an end user whose account is gone. */
  account_id: number | null;
  account_state: AccountState | null;
  /** The reseller that manages an end user's account. */
  reseller_user_id: number | null;
  user_disabled_at: Date | null;
  /** Of the operator's own session. Null: there is none, or it is gone. */
  operator_expires_at: Date | null;
  operator_last_seen_at: Date | null;
}

/** Returns its id. */
export async function insertSession(
  trx: Transaction<Database>,
  session: Insertable<SessionsTable>,
): Promise<number> {
  const { insertId } = await trx.insertInto('sessions').values(session).executeTakeFirstOrThrow();
  return Number(insertId);
}

/**
 * The session with this SHA-256, also if it has expired. One SQL statement with unique keys (an account has its end
 * user's name).
 */
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
    .leftJoin('sessions as own', 'own.id', 'sessions.operator_session_id')
    .selectAll('sessions')
    .select(['own.expires_at as operator_expires_at', 'own.last_seen_at as operator_last_seen_at'])
    .select(['users.username', 'users.role', 'users.disabled_at as user_disabled_at'])
    .select(['accounts.id as account_id', 'accounts.state as account_state', 'accounts.reseller_user_id'])
    .where('sessions.token_hash', '=', tokenHash)
    .compile(),
);

/** Records the use of a session, unless a use after `unlessAfter` was recorded. */
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

/** Records that the password or a code was entered in the session. */
export async function storeSessionProof(
  trx: Transaction<Database>,
  sessionId: number,
  now: Date,
): Promise<void> {
  await trx.updateTable('sessions').set({ proved_at: now }).where('id', '=', sessionId).execute();
}

/** A user's newest sessions that have not expired and were not idle for too long. */
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

/** Deletes one session of the user. Returns false if the user has no session with this id. */
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

/** Deletes the user's sessions, optionally except one. Returns how many. */
export async function deleteSessionsOfUser(
  trx: Transaction<Database>,
  userId: number,
  spare?: number,
): Promise<number> {
  let query = trx.deleteFrom('sessions').where('user_id', '=', userId);
  if (spare !== undefined) query = query.where('id', '!=', spare);
  const { numDeletedRows } = await query.executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the sessions in which an operator is logged in as the user. Returns how many. */
export async function deleteSessionsAs(
  trx: Transaction<Database>,
  { user_id, operator_user_id }: { user_id: number; operator_user_id: number },
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('operator_user_id', '=', operator_user_id)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Ends the user's sessions now. Their rows stay until a sweep deletes them, so that the user can see why they were
 * signed out.
 */
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
 * Deletes up to `limit` sessions that ended before `endedBefore`. Returns how many. Reads the ids first, so that rows
 * are locked by primary key, in the same way as requests lock them.
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
