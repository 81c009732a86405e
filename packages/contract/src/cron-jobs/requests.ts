import { CRON_JOB_NAME_MAX_CHARACTERS } from '@innkeeper/domain';
import { z } from 'zod';
import { accountReference, ofAccountQuery } from '../account-reference.ts';
import type { InputOf } from '../endpoint.ts';
import { boolean, optional, required, text } from '../fields/index.ts';
import { cronCommand } from './command.ts';
import { cronSchedule } from './schedule.ts';

export const listCronJobsQuery = z.object(ofAccountQuery);

const schedule = required(cronSchedule());
const command = required(cronCommand());
const name = optional(text({ max: CRON_JOB_NAME_MAX_CHARACTERS }));

export const createCronJobBody = z.object({ ...accountReference, name, schedule, command });

export const updateCronJobBody = z.object({ name, schedule, command, enabled: optional(boolean()) });

export type NewCronJob = InputOf<typeof createCronJobBody>;
/** A service can change any of the fields alone. An omitted field does not change. */
export type CronJobUpdate = Partial<InputOf<typeof updateCronJobBody>>;
