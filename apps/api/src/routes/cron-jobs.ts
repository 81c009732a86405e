import { pageEnvelope } from '../http/page-envelope.ts';
import type { Routes } from '../http/route.ts';
import { requireOwner } from './require-account.ts';
import { answerSynced, waitForNode } from './wait-for-node.ts';

export const cronJobs = {
  listCronJobs: {
    requireRecord: requireOwner,
    answer: async ({ services, context, query }) => pageEnvelope(await services.listCronJobs(context, query)),
  },
  createCronJob: {
    requireRecord: requireOwner,
    answer: async ({ deps, services, context, body }) =>
      answerSynced(deps, await services.createCronJob(context, body)),
  },
  getCronJob: {
    answer: async ({ services, context, params }) => ({
      data: await services.getCronJob(context, { cron_job_id: params.id }),
    }),
  },
  updateCronJob: {
    requireRecord: ({ services, context, params }) =>
      services.getCronJob(context, { cron_job_id: params.id }),
    answer: async ({ deps, services, context, params, body }) =>
      answerSynced(deps, await services.updateCronJob(context, { cron_job_id: params.id, ...body })),
  },
  removeCronJob: {
    answer: async ({ deps, services, context, params }) => {
      await waitForNode(deps, await services.removeCronJob(context, { cron_job_id: params.id }));
      return { message: 'Cron job removed' };
    },
  },
} satisfies Partial<Routes>;
