import { findSessionsOfUser, type SessionMethod } from '@innkeeper/db';
import type { UserContext } from '../panel-context.ts';
import { earlier, SESSION_IDLE_MS } from './session-lifetime.ts';

/** A signed-in browser, as shown to its user. */
export interface SessionView {
  id: number;
  method: SessionMethod;
  address: string;
  user_agent: string;
  /** Whether this is the session of the request. */
  is_current: boolean;
  created_at: Date;
  /** Accurate to one minute. */
  last_seen_at: Date;
  expires_at: Date;
}

const LISTED_SESSIONS = 100;

/** The user's own active sessions, newest first, at most 100. */
export async function listSessions(ctx: UserContext): Promise<SessionView[]> {
  const now = ctx.now();
  const rows = await findSessionsOfUser(ctx.db, ctx.actor.userId, {
    now,
    seenAfter: earlier(now, SESSION_IDLE_MS),
    limit: LISTED_SESSIONS,
  });
  return rows.map(({ id, method, address, user_agent, created_at, last_seen_at, expires_at }) => ({
    id,
    method,
    address,
    user_agent,
    is_current: id === ctx.sessionId,
    created_at,
    last_seen_at,
    expires_at,
  }));
}
