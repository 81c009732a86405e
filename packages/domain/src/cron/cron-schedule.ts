import { CronPattern } from 'croner';

export const CRON_SCHEDULE_MAX_CHARACTERS = 255;
export const CRON_JOB_NAME_MAX_CHARACTERS = 100;

const NICKNAME = /^@(?:hourly|daily|midnight|weekly|monthly|yearly|annually)$/;

const fieldOf = (value: string) => {
  const item = `(?:\\*|${value}(?:-${value})?)(?:/\\d+)?`;
  return `${item}(?:,${item})*`;
};
const number = fieldOf('\\d+');
const month = fieldOf('(?:\\d+|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)');
const weekday = fieldOf('(?:\\d+|sun|mon|tue|wed|thu|fri|sat)');

/** The syntax that Debian's cron and croner have in common. Each of them also accepts syntax that the other rejects. */
const FIVE_FIELDS = new RegExp(`^${number} ${number} ${number} ${month} ${weekday}$`, 'i');

/**
 * The stored form of a cron schedule: five fields with one space between them, or a name such as `@hourly` in
 * lowercase. Undefined for an invalid schedule and for `@reboot`. A range that ends on `sun` is written with 7, because
 * Debian's cron treats Sunday by name as the first day only.
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

/** Most jobs have one of a few schedules, and croner's answer about a text never changes. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 1_000;

/** Whether every number is within its field's bounds, ranges ascend, and steps are above 0. */
function hasPossibleValues(schedule: string): boolean {
  const before = known.get(schedule);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const isPossible = isPattern(schedule);
  known.set(schedule, isPossible);
  return isPossible;
}

function isPattern(schedule: string): boolean {
  try {
    new CronPattern(schedule, 'UTC', { mode: '5-part' });
    return true;
  } catch {
    return false;
  }
}
