import type { Route } from '../../http/route.ts';

export const getDatabase: Route<'getDatabase'> = {
  answer: async ({ deps, context, params }) => ({
    data: await deps.services.getDatabase(context, { database_id: params.id }),
  }),
};
