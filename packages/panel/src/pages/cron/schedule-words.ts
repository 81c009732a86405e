import { mustMatchBothDays } from '@innkeeper/domain';
import { toString as inWords } from 'cronstrue';

/** Describes a schedule from `readCronSchedule` in words: `At 03:00`. Undefined if there is no description. */
export function scheduleWords(schedule: string): string | undefined {
  try {
    return inWords(schedule, { use24HourTimeFormat: true, logicalAndDayFields: mustMatchBothDays(schedule) });
  } catch {
    return undefined;
  }
}

/** Common schedules for the form. */
export const commonSchedules: readonly (readonly [schedule: string, words: string])[] = [
  ['* * * * *', 'Every minute'],
  ['*/5 * * * *', 'Every 5 minutes'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['0 * * * *', 'Every hour, on the hour'],
  ['0 3 * * *', 'Every day at 03:00'],
  ['0 8 * * 1-5', 'Monday to Friday at 08:00'],
  ['0 3 * * 0', 'Every Sunday at 03:00'],
  ['0 3 1 * *', 'On the first of every month at 03:00'],
];
