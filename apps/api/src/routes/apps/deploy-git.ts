import type { Route } from '../../http/route.ts';

export const deployGit: Route<'deployGit'> = {
  answer: async ({ deps, context, params }) => ({
    message: 'Git deploy queued',
    data: (await deps.services.deployGit(context, { app_id: params.id })).view,
  }),
};
