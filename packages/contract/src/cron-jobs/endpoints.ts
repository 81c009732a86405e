import type { Endpoint } from '../endpoint.ts';
import { change, create, dataOf, listOfAccount, messageOf, remove, show } from '../endpoint-kinds.ts';
import { pageOf } from '../pagination.ts';
import * as requests from './requests.ts';
import { cronJob, cronJobWithAccount } from './responses.ts';

export const cronJobEndpoints = {
  listCronJobs: {
    ...listOfAccount,
    path: '/cron-jobs',
    access: 'cron:read',
    query: requests.listCronJobsQuery,
    response: pageOf(cronJob),
    summary: 'List the cron jobs of one account or of all accounts that the token can see.',
  },
  createCronJob: {
    ...create,
    path: '/cron-jobs',
    access: 'cron:write',
    body: requests.createCronJobBody,
    response: dataOf(cronJobWithAccount),
    summary: 'Add a cron job to an account.',
  },
  getCronJob: {
    ...show,
    path: '/cron-jobs/{id}',
    access: 'cron:read',
    response: dataOf(cronJobWithAccount),
    summary: 'Get a cron job.',
  },
  updateCronJob: {
    ...change,
    path: '/cron-jobs/{id}',
    access: 'cron:write',
    body: requests.updateCronJobBody,
    response: dataOf(cronJobWithAccount),
    summary: 'Update a cron job.',
  },
  removeCronJob: {
    ...remove,
    path: '/cron-jobs/{id}',
    access: 'cron:write',
    response: messageOf('Cron job removed'),
    summary: 'Remove a cron job.',
  },
} as const satisfies Record<string, Endpoint>;
