import { CRON_SCHEDULE_MAX_CHARACTERS, readCronSchedule } from '@innkeeper/domain';
import { type FieldKind, text } from '../fields/index.ts';

/** Five fields, or a name such as `@hourly`. Normalized to one space between fields. */
export function cronSchedule(): FieldKind<string> {
  const line = text({ max: CRON_SCHEDULE_MAX_CHARACTERS, read: (value) => readCronSchedule(value) ?? value });
  const isSchedule = (value: unknown) =>
    typeof value === 'string' && readCronSchedule(value) === undefined
      ? 'The :attribute field must be a valid cron expression.'
      : undefined;
  return { ...line, rules: [...line.rules, isSchedule] };
}
