import { CRON_COMMAND_MAX_CHARACTERS, CRON_SCHEDULE_MAX_CHARACTERS } from '@innkeeper/domain';
import { z } from 'zod';
import { accountReference, ofAccountQuery } from '../account-reference.ts';
import { boolean, optional, required, text } from '../fields/index.ts';

export const listCronJobsQuery = z.object(ofAccountQuery);

const schedule = required(text({ max: CRON_SCHEDULE_MAX_CHARACTERS }));
const command = required(text({ max: CRON_COMMAND_MAX_CHARACTERS }));
const name = optional(text({ max: 100 }));

export const createCronJobBody = z.object({ ...accountReference, name, schedule, command });

export const updateCronJobBody = z.object({ name, schedule, command, enabled: optional(boolean()) });
