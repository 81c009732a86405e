import type { Route } from '../../http/route.ts';

export const getPackage: Route<'getPackage'> = {
  answer: async ({ deps, context, params }) => ({
    data: await deps.services.getPackage(context, { package_id: params.id }),
  }),
};
