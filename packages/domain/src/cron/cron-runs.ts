import { Cron } from 'croner';

/**
 * Whether a run must match both the day of the month and the weekday. Debian's cron requires both if one of the two
 * starts with `*`. Otherwise one match is enough.
 */
export function mustMatchBothDays(schedule: string): boolean {
  const [, , dayOfMonth, , weekday] = schedule.split(' ');
  return dayOfMonth?.startsWith('*') === true || weekday?.startsWith('*') === true;
}

/**
 * The next `count` runs of a schedule after a given time, on a server in `timeZone` (an IANA name). The schedule is in
 * the form that `readCronSchedule` returns. Fewer if there are no more runs.
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

/** Whether the name is a known time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
