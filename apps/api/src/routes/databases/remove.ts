import type { Route } from '../../http/route.ts';

export const removeDatabase: Route<'removeDatabase'> = {
  answer: async ({ deps, context, params }) => {
    await deps.services.removeDatabase(context, { database_id: params.id });
    return { message: 'Database removal queued' };
  },
};
