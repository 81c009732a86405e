import { CronPattern } from 'croner';

const NICKNAME = /^@(?:hourly|daily|midnight|weekly|monthly|yearly|annually)$/;

const fieldOf = (value: string) => {
  const item = `(?:\\*|${value}(?:-${value})?)(?:/\\d+)?`;
  return `${item}(?:,${item})*`;
};
const number = fieldOf('\\d+');
const month = fieldOf('(?:\\d+|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)');
const weekday = fieldOf('(?:\\d+|sun|mon|tue|wed|thu|fri|sat)');

/** What both Debian's cron and croner know; each of them knows more, and the other refuses that. */
const FIVE_FIELDS = new RegExp(`^${number} ${number} ${number} ${month} ${weekday}$`, 'i');

/**
 * The stored form of a cron schedule as people write it: five fields with one space between them, or
 * `@hourly` and its like in small letters. Undefined for what is none, `@reboot` among it. A range that ends
 * on `sun` is written with 7: to Debian's cron Sunday by name is the first day only.
 */
export function readCronSchedule(text: string): string | undefined {
  const schedule = text.trim().replace(/ +/g, ' ');
  if (schedule.startsWith('@')) {
    const nickname = schedule.toLowerCase();
    return NICKNAME.test(nickname) ? nickname : undefined;
  }
  if (!FIVE_FIELDS.test(schedule)) return undefined;
  const stored = schedule.replace(/-sun(?![a-z])/gi, '-7');
  return hasPossibleValues(stored) ? stored : undefined;
}

/** Whether every number lies in its field's bounds, ranges ascend, and steps are above 0. */
function hasPossibleValues(schedule: string): boolean {
  try {
    new CronPattern(schedule, 'UTC', { mode: '5-part' });
    return true;
  } catch {
    return false;
  }
}
