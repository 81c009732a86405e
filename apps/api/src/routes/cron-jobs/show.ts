import type { Route } from '../../http/route.ts';

export const getCronJob: Route<'getCronJob'> = {
  answer: async ({ deps, context, params }) => ({
    data: await deps.services.getCronJob(context, { cron_job_id: params.id }),
  }),
};
