import { timingSafeEqual } from 'node:crypto';
import {
  type Database,
  findSessionByHash,
  type SessionMethod,
  type SessionWithUser,
  touchSession,
} from '@innkeeper/db';
import type { Role } from '@innkeeper/domain';
import type { Kysely } from 'kysely';
import { hashSecret } from '../secrets/random-secrets.ts';
import { earlier, SESSION_IDLE_MS, SESSION_TOUCH_MS } from './session-lifetime.ts';

/** The user of a session. */
export interface SessionIdentity {
  session: {
    id: number;
    method: SessionMethod;
    created_at: Date;
    expires_at: Date;
    /** When the user last entered a password or code in this session. */
    proved_at: Date | null;
    /** The operator who is logged in as the customer. */
    operator_user_id: number | null;
    /** The operator's own session. */
    operator_session_id: number | null;
  };
  user: { id: number; username: string; role: Role };
  /** The end user's account; null for an admin or reseller. */
  account_id: number | null;
  /** The reseller itself, or the reseller that manages the end user's account. */
  reseller_id: number | null;
}

const TOKEN_FORM = /^[\w-]{43}$/;

/**
 * Returns the session and user of a cookie's token. Null: the token is malformed or unknown, the session has expired or
 * was idle for too long, the end user's account is not active, the user is disabled, or the
 * operator who is logged in as the customer is signed out. A malformed token costs no SQL statement, a session
 * costs one, plus one more each minute.
 */
export async function findSession(
  db: Kysely<Database>,
  { token, now }: { token: string; now: Date },
): Promise<SessionIdentity | null> {
  if (!TOKEN_FORM.test(token)) return null;
  const hash = hashSecret(token);
  const row = await findSessionByHash(db, hash);
  if (row === undefined || !timingSafeEqual(row.token_hash, hash)) return null;
  if (row.expires_at <= now || row.last_seen_at <= earlier(now, SESSION_IDLE_MS)) return null;
  if (!mayUsePanel(row) || !operatorIsSignedIn(row, now)) return null;
  const unlessAfter = earlier(now, SESSION_TOUCH_MS);
  if (row.last_seen_at <= unlessAfter) {
    await touchSession(db, row.id, { now, unlessAfter });
    if (row.operator_session_id !== null)
      await touchSession(db, row.operator_session_id, { now, unlessAfter });
  }
  const { id, method, created_at, expires_at, proved_at, operator_user_id, operator_session_id } = row;
  return {
    session: { id, method, created_at, expires_at, proved_at, operator_user_id, operator_session_id },
    user: { id: row.user_id, username: row.username, role: row.role },
    account_id: row.account_id,
    reseller_id: row.role === 'reseller' ? row.user_id : row.reseller_user_id,
  };
}

/** A session that an operator opened as a customer ends with the operator's own. */
function operatorIsSignedIn(row: SessionWithUser, now: Date): boolean {
  if (row.operator_session_id === null) return true;
  const { operator_expires_at, operator_last_seen_at } = row;
  return (
    operator_expires_at !== null &&
    operator_expires_at > now &&
    operator_last_seen_at !== null &&
    operator_last_seen_at > earlier(now, SESSION_IDLE_MS)
  );
}

function mayUsePanel({ role, account_state, user_disabled_at }: SessionWithUser): boolean {
  return role === 'user' ? account_state === 'active' : user_disabled_at === null;
}
