import { Cron } from 'croner';

/**
 * Whether a run must be right by the day of the month and by the weekday: so it is to Debian's cron where one of
 * the two begins with `*`. Where neither does, one of them is enough.
 */
export function mustMatchBothDays(schedule: string): boolean {
  const [, , dayOfMonth, , weekday] = schedule.split(' ');
  return dayOfMonth?.startsWith('*') === true || weekday?.startsWith('*') === true;
}

/**
 * When a schedule that `readCronSchedule` gave runs next after a moment, on a server in `timeZone` (an IANA name):
 * the first `count` runs, fewer where there are no more.
 */
export function nextCronRuns(
  schedule: string,
  { after, count, timeZone }: { after: Date; count: number; timeZone: string },
): Date[] {
  const cron = new Cron(schedule, {
    mode: '5-part',
    timezone: timeZone,
    domAndDow: mustMatchBothDays(schedule),
  });
  return cron.nextRuns(count, after);
}

/** Whether the name is one of a time zone that is known here. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
