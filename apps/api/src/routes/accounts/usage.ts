import type { Route } from '../../http/route.ts';

export const getUsage: Route<'getUsage'> = {
  answer: async ({ deps, context, params }) => ({
    data: await deps.services.getUsage(context, { account_id: params.id }),
  }),
};
