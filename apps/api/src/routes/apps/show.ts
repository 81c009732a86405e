import type { Route } from '../../http/route.ts';

export const getApp: Route<'getApp'> = {
  answer: async ({ deps, context, params }) => ({
    data: await deps.services.getApp(context, { app_id: params.id }),
  }),
};
