/**
 * Recipients of mail that programs of an account may send, by package. 0: none may be sent. `initial`: of a new package
 * whose form or command names none.
 */
export const mailLimits = {
  mail_per_hour: { min: 0, max: 100_000, initial: 100 },
  mail_per_day: { min: 0, max: 1_000_000, initial: 500 },
} as const;

export interface MailLimits {
  mail_per_hour: number;
  mail_per_day: number;
}

/** Numbers of the hour and of the day since 1970, in UTC: the windows that the limits count in. */
export function mailWindows(now: Date): { hour: number; day: number } {
  const hour = Math.floor(now.getTime() / 3_600_000);
  return { hour, day: Math.floor(hour / 24) };
}
