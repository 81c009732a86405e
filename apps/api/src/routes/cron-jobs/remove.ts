import type { Route } from '../../http/route.ts';
import { settle } from '../accounts/settle.ts';

export const removeCronJob: Route<'removeCronJob'> = {
  answer: async ({ deps, context, params }) => {
    await settle(deps, await deps.services.removeCronJob(context, { cron_job_id: params.id }));
    return { message: 'Cron job removed' };
  },
};
