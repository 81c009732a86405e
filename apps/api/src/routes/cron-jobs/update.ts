import type { Route } from '../../http/route.ts';
import { settle } from '../accounts/settle.ts';

export const updateCronJob: Route<'updateCronJob'> = {
  requireRecord: ({ deps, context, params }) => deps.services.getCronJob(context, { cron_job_id: params.id }),
  answer: async ({ deps, context, params, body }) => {
    const written = await deps.services.updateCronJob(context, { cron_job_id: params.id, ...body });
    await settle(deps, written);
    return { data: await deps.services.getCronJob(context, { cron_job_id: params.id }) };
  },
};
