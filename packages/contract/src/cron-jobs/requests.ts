import {
  CRON_COMMAND_MAX_CHARACTERS,
  CRON_JOB_NAME_MAX_CHARACTERS,
  CRON_SCHEDULE_MAX_CHARACTERS,
  cronCommandRules,
  readCronSchedule,
} from '@innkeeper/domain';
import { z } from 'zod';
import type { InputOf } from '../endpoint.ts';
import { type FieldKind, optional, required } from '../fields/field.ts';
import { boolean, text } from '../fields/kinds.ts';
import { accountReference, ofAccountQuery } from '../record-references.ts';

/** A shell command on one line, without the characters and programs that the API refuses. */
function cronCommand(): FieldKind<string> {
  const line = text({ max: CRON_COMMAND_MAX_CHARACTERS });
  const rules = cronCommandRules.map(
    (rule) => (value: unknown) => (typeof value === 'string' ? rule(value) : undefined),
  );
  return { ...line, rules: [...line.rules, ...rules] };
}

/** Five fields, or a name such as `@hourly`. Normalized to one space between fields. */
function cronSchedule(): FieldKind<string> {
  const line = text({ max: CRON_SCHEDULE_MAX_CHARACTERS, read: (value) => readCronSchedule(value) ?? value });
  const isSchedule = (value: unknown) =>
    typeof value === 'string' && readCronSchedule(value) === undefined
      ? 'The :attribute field must be a valid cron expression.'
      : undefined;
  return { ...line, rules: [...line.rules, isSchedule] };
}

export const listCronJobsQuery = z.object(ofAccountQuery);

const schedule = required(cronSchedule());
const command = required(cronCommand());
const name = optional(text({ max: CRON_JOB_NAME_MAX_CHARACTERS }));

export const createCronJobBody = z.object({ ...accountReference, name, schedule, command });

export const updateCronJobBody = z.object({ name, schedule, command, enabled: optional(boolean()) });

export type NewCronJob = InputOf<typeof createCronJobBody>;
/** A service can change any of the fields alone. An omitted field does not change. */
export type CronJobUpdate = Partial<InputOf<typeof updateCronJobBody>>;
