const HOUR_MS = 60 * 60 * 1_000;

/** A session ends this long after it began, however much it is used. */
export const SESSION_LIFETIME_MS = 12 * HOUR_MS;
/** A session ends when it was not used for this long. */
export const SESSION_IDLE_MS = 2 * HOUR_MS;
/** A use is noted when the last one that was noted is this old: idleness is that exact, and no more. */
export const SESSION_TOUCH_MS = 60_000;

export function earlier(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}

export function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
