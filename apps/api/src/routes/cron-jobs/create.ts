import type { Route } from '../../http/route.ts';
import { settle } from '../accounts/settle.ts';
import { requireOwner } from '../domains/require-owner.ts';

export const createCronJob: Route<'createCronJob'> = {
  requireRecord: requireOwner,
  answer: async ({ deps, context, body }) => {
    const written = await deps.services.createCronJob(context, body);
    await settle(deps, written);
    return { data: await deps.services.getCronJob(context, { cron_job_id: written.view.id }) };
  },
};
