const HOUR_MS = 60 * 60 * 1_000;

/** Maximum age of a session, regardless of its use. */
export const SESSION_LIFETIME_MS = 12 * HOUR_MS;
/** Maximum idle time of a session. */
export const SESSION_IDLE_MS = 2 * HOUR_MS;
/** The time of last use is updated at most this often, so the idle time is accurate only to this interval. */
export const SESSION_TOUCH_MS = 60_000;

export function earlier(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}

export function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
